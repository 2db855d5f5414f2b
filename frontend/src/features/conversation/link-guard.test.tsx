import { act } from "react";
import { expect, it } from "vitest";
import { button, click, one, onPage } from "../../ui/on-page";
import { LinkGuard } from "./link-guard";
import { MarkdownView } from "./markdown-view";

HTMLDialogElement.prototype.showModal = () => {};

/** Whether the browser would have followed it. */
function followed(link: HTMLElement, kind: string, button = 0): boolean {
  let goes = true;
  act(() => {
    goes = link.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, button }));
  });
  return goes;
}

it("A6: a click on a link of the model's asks, and says where it leads", async () => {
  const page = onPage(
    <>
      <MarkdownView text="[the docs](https://evil.example/?q=SECRET)" growing={false} />
      <a data-own href="#own">
        own
      </a>
      <LinkGuard />
    </>,
  );
  const link = one(page.place, ".prose a");
  for (const [kind, pressed] of [
    ["click", 0],
    ["auxclick", 1],
  ] as const) {
    expect(followed(link, kind, pressed)).toBe(false);
    const dialog = one(page.place, "dialog");
    expect(dialog.textContent).toContain("It leads to evil.example.");
    expect(dialog.textContent).toContain("https://evil.example/?q=SECRET");
    const open = one<HTMLAnchorElement>(dialog, "a");
    expect([open.href, open.target, open.rel]).toEqual([
      "https://evil.example/?q=SECRET",
      "_blank",
      "noopener noreferrer nofollow",
    ]);
    await click(button(dialog, "Cancel"));
    expect(page.place.querySelector("dialog")).toBeNull();
  }
  expect(followed(one(page.place, "[data-own]"), "click")).toBe(true);
  expect(page.place.querySelector("dialog")).toBeNull();
  page.leave();
});
