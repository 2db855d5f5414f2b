import { expect, it } from "vitest";
import { onPage } from "../ui/on-page";
import { BrokenPage } from "./broken-page";
import { makeRouter } from "./router";

it("a page that breaks says so in the page's own looks, with a way out", () => {
  expect(makeRouter().options.defaultErrorComponent).toBe(BrokenPage);
  const { place: container } = onPage(<BrokenPage error={new Error("gone")} reset={() => {}} />);
  expect(container.textContent).toContain("gone");
  expect(container.querySelector("button")?.textContent).toBe("Reload");
});
