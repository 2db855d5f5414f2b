import { expect, it } from "vitest";
import type { Thinking } from "../../protocol/messages.gen";
import { click, one, onPage } from "../../ui/on-page";
import { ThinkingBlock } from "./thinking-block";

const AT = "2026-11-20T10:00:00Z";
const block = (content: string): Thinking =>
  ({ mode: "thinking", index: 0, createdAt: AT, content }) as Thinking;
const view = (content: string, live: boolean) => (
  <ThinkingBlock block={block(content)} turnId="t1" live={live} />
);

it("S0-35: what the model reasons is Markdown, also while it grows", async () => {
  const page = onPage(view("First **I lo", true));
  expect(one(page.place, ".prose strong").textContent).toBe("I lo");
  expect(page.place.querySelectorAll(".caret-after")).toHaveLength(1);
  page.again(view("First **I look**\n\n```sh\nls\n```", false));
  await click(one(page.place, "button"));
  expect(one(page.place, ".prose strong").textContent).toBe("I look");
  page.leave();
});

it("S0-35: it opens and closes, and can do no more than an answer", async () => {
  const page = onPage(view("- <img src=x onerror=y>\n- [x](javascript:y)", false));
  const head = one(page.place, "button");
  if (head.getAttribute("aria-expanded") === "false") await click(head);
  expect(page.place.querySelectorAll("li")).toHaveLength(2);
  expect(page.place.querySelectorAll("img, a[href]")).toHaveLength(0);
  await click(head);
  expect(head.getAttribute("aria-expanded")).toBe("false");
  expect(page.place.querySelector("li")).toBeNull();
  page.leave();
});
