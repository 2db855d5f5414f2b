import { beforeEach, expect, it, vi } from "vitest";
import { MeContext } from "../../app/shell-context";
import type { Thinking, UserView } from "../../protocol/messages.gen";
import { click, one, onPage } from "../../ui/on-page";
import { ThinkingBlock } from "./thinking-block";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.resetModules();
});

const AT = "2026-11-20T10:00:00Z";
const block = (content: string, index = 0): Thinking =>
  ({ mode: "thinking", index, createdAt: AT, content }) as Thinking;
const view = (content: string, live: boolean) => (
  <ThinkingBlock block={block(content)} turnId="t1" live={live} />
);
const isOpen = (place: ParentNode, at = 0) =>
  place.querySelectorAll("button[aria-expanded]")[at]?.getAttribute("aria-expanded") === "true";

it("S0-35: what the model reasons is Markdown, also while it grows", async () => {
  const page = onPage(view("First **I lo", true));
  expect(one(page.place, ".prose strong").textContent).toBe("I lo");
  expect(page.place.querySelectorAll(".caret-after")).toHaveLength(1);
  page.again(view("First **I look**\n\n```sh\nls\n```", false));
  await click(one(page.place, "button"));
  expect(one(page.place, ".prose strong").textContent).toBe("I look");
  await click(one(page.place, "button"));
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

it("S0-50: a click opens this thought, no other, and it is so after a reload", async () => {
  const both = (Block: typeof ThinkingBlock, turnId: string) => (
    <>
      <Block block={block("one")} turnId={turnId} live={false} />
      <Block block={block("two", 1)} turnId={turnId} live={false} />
    </>
  );
  const page = onPage(both(ThinkingBlock, "t2"));
  await click(one(page.place, "button"));
  expect([isOpen(page.place), isOpen(page.place, 1)]).toEqual([true, false]);
  page.again(both(ThinkingBlock, "t3"));
  expect(isOpen(page.place)).toBe(false);
  page.leave();
  const reloaded = onPage(both((await import("./thinking-block")).ThinkingBlock, "t2"));
  expect([isOpen(reloaded.place), isOpen(reloaded.place, 1)]).toEqual([true, false]);
  reloaded.leave();
});

it("S0-50: what is being thought is shown as this person left the last one, also after a reload", async () => {
  const live = (Block: typeof ThinkingBlock, id: string, turnId: string) => (
    <MeContext value={{ id } as UserView}>
      <Block block={block("hm")} turnId={turnId} live />
    </MeContext>
  );
  const page = onPage(live(ThinkingBlock, "ada", "t4"));
  expect(isOpen(page.place)).toBe(true);
  await click(one(page.place, "button"));
  page.again(live(ThinkingBlock, "ada", "t5"));
  expect(isOpen(page.place)).toBe(false);
  page.again(live(ThinkingBlock, "bob", "t5"));
  expect(isOpen(page.place)).toBe(true);
  page.leave();
  const again = (await import("./thinking-block")).ThinkingBlock;
  const { MeContext: Me } = await import("../../app/shell-context");
  const reloaded = onPage(
    <Me value={{ id: "ada" } as UserView}>
      <ThinkingAgain Block={again} />
    </Me>,
  );
  expect(isOpen(reloaded.place)).toBe(false);
  reloaded.leave();
});

const ThinkingAgain = ({ Block }: { Block: typeof ThinkingBlock }) => (
  <Block block={block("hm")} turnId="t6" live />
);
