import { act, type ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { BlockUnion, TurnChangeUnion } from "../../protocol/messages.gen";
import { recordedNested } from "../../turn/recorded";
import { applyAll, type TurnCopy } from "../../turn/reducer";
import { button, click, one, onPage } from "../../ui/on-page";
import { KeptContext } from "./kept";
import { TurnPart } from "./turn-view";

// Rows have no height here, so that the list itself draws none.
vi.mock("virtua", () => ({
  Virtualizer: <R,>({ data, children }: { data: R[]; children(row: R): ReactNode }) => data.map(children),
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    disconnect() {}
  },
);

afterEach(() => void vi.useRealTimers());

const kept = new Map<string, unknown>();
const view = (stream: readonly TurnChangeUnion[]) => (
  <KeptContext value={kept}>
    <TurnPart copy={applyAll(undefined, stream) as TurnCopy} from={0} to={99} first last />
  </KeptContext>
);
const upTo = (last: (change: TurnChangeUnion) => boolean) =>
  recordedNested.slice(0, recordedNested.findIndex(last) + 1);
const running = upTo((change) => change.kind === "tool_output");

const subagent = (place: HTMLElement, task: string) =>
  one<HTMLElement>(place, `[aria-label^="Subagent: ${task}"]`);
const blocks = (place: ParentNode) =>
  [...place.querySelectorAll<HTMLElement>("[data-block-index]")].map((block) => block.dataset.blockIndex);

it("S0-52: each is a line that tells what it does now, how many calls it made, and in the end its answer", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T10:01:05Z") });
  const page = onPage(view(running));
  expect(blocks(page.place)).toEqual(["0", "1", "2"]);
  const cart = subagent(page.place, "Read the cart.");
  expect(cart.getAttribute("aria-label")).toBe("Subagent: Read the cart., running");
  expect(one(cart, "[data-testid=subagent-step]").textContent).toBe("read_file cart.ts");
  expect(one(cart, "button").textContent).toBe("delegateRead the cart.1 call ·running1 min 5 s");
  expect(one(subagent(page.place, "Read the basket."), "[data-testid=subagent-step]").textContent).toBe(
    "Thinking …",
  );
  act(() => vi.advanceTimersByTime(2_000));
  expect(one(cart, "button").textContent).toContain("1 min 7 s");
  expect(page.place.textContent).not.toContain("Waiting for the model");
  page.again(view(recordedNested));
  expect(subagent(page.place, "Read the cart.").getAttribute("aria-label")).toBe(
    "Subagent: Read the cart., done",
  );
  expect(one(cart, "[data-testid=call-result]").textContent).toBe("In cart.ts.");
  expect(page.place.querySelector("[data-testid=subagent-step]")).toBeNull();
  page.leave();
});

it("S0-52: it opens to its task and its story, which goes on as it comes, apart from that of the other", async () => {
  const page = onPage(view(running));
  await click(one(subagent(page.place, "Read the cart."), "button"));
  await click(one(subagent(page.place, "Read the basket."), "button"));
  const story = (task: string) => one(subagent(page.place, task), "[data-testid=subagent-story]");
  expect(blocks(story("Read the cart."))).toEqual(["3", "5"]);
  expect(blocks(story("Read the basket."))).toEqual(["4"]);
  expect(one(story("Read the basket."), "[data-testid=block-thinking]").textContent).toContain("Thinking …");
  expect(page.place.querySelector("[data-testid=subagent-step]")).toBeNull();
  page.again(view(upTo((change) => change.kind === "text_delta" && change.index === 8)));
  expect(blocks(story("Read the cart."))).toEqual(["3", "5", "7"]);
  expect(blocks(story("Read the basket."))).toEqual(["4", "6", "8"]);
  // The answer stays where it was watched.
  page.again(view(recordedNested));
  expect(blocks(story("Read the cart."))).toEqual(["3", "5", "7"]);
  expect(page.place.querySelector("[data-testid=subagent-answer]")).toBeNull();
  // Who comes later reads it below the story, and not twice.
  page.again(null);
  page.again(view(recordedNested));
  expect(blocks(story("Read the cart."))).toEqual(["3", "5"]);
  const answer = one(subagent(page.place, "Read the cart."), "[data-testid=subagent-answer]");
  expect(one(answer, "strong").textContent).toBe("cart.ts");
  kept.clear();
  page.leave();
});

it("S0-52: the turn's own answer is not that of a subagent", async () => {
  const written: string[] = [];
  vi.stubGlobal("navigator", {
    ...navigator,
    clipboard: { writeText: async (text: string) => written.push(text) },
  });
  const page = onPage(view(recordedNested));
  await click(button(page.place, "Copy answer"));
  expect(written).toEqual(["Two look.\n\nIt is in cart.ts."]);
  page.leave();
});

it("S0-52: a turn that was cut off shows nothing of it as if it still came", () => {
  const { turn } = applyAll(undefined, running) as TurnCopy;
  const page = onPage(
    view([{ kind: "snapshot", turn: { ...turn, status: "interrupted", finishedAt: turn.createdAt } }]),
  );
  expect(page.place.querySelector("[data-testid=subagent-step]")).toBeNull();
  expect(one(subagent(page.place, "Read the cart."), "button").textContent).toBe(
    "delegateRead the cart.1 call ·running",
  );
  page.leave();
});

it("S0-52: a call of before stories were told shows its text as it did", async () => {
  const old = (part: object): BlockUnion => ({
    mode: "tool",
    index: 0,
    createdAt: "2026-11-20T10:00:00Z",
    content: {
      callId: "d",
      name: "delegate",
      parameters: { task: "Look." },
      state: "done",
      finishedAt: "2026-11-20T10:00:00Z",
      response: "None.",
      ...part,
    },
  });
  const turn = (applyAll(undefined, recordedNested) as TurnCopy).turn;
  const page = onPage(view([{ kind: "snapshot", turn: { ...turn, blocks: [old({ output: "▸ grep a" })] } }]));
  expect(one(page.place, "[data-testid=block-tool]").getAttribute("aria-label")).toBe(
    "Tool call delegate, done",
  );
  await click(one(page.place, "[data-testid=block-tool] button"));
  expect(page.place.textContent).toContain("▸ grep a");
  expect(page.place.textContent).toContain("Result, as the model reads it");
  page.leave();
});
