import { describe, expect, test } from "vitest";
import type { BlockUnion, Tool } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { liveRate, modeTimes, rateOf } from "./turn-figures";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, seconds)).toISOString();
const text = (mode: "thinking" | "responding", from: number, to: number | null): BlockUnion => ({
  mode,
  index: 0,
  createdAt: at(from),
  closedAt: to === null ? null : at(to),
  content: "words",
});
const tool = (part: Partial<Tool["content"]>): Tool => ({
  mode: "tool",
  index: 1,
  createdAt: at(10),
  content: { callId: "c", name: "run", parameters: {}, state: "done", ...part },
});

describe("what a turn took", () => {
  test("is counted by mode, an open block until now", () => {
    const blocks = [
      text("thinking", 0, 4),
      text("responding", 4, 6),
      tool({ startedAt: at(12), finishedAt: at(15) }),
      text("responding", 16, null),
    ];
    expect(modeTimes(blocks, Date.parse(at(20)))).toEqual({
      thinking: 4_000,
      responding: 6_000,
      tool: 3_000,
    });
  });

  test("a call that waits for somebody takes no time yet", () => {
    expect(modeTimes([tool({ state: "awaiting_approval" })], Date.parse(at(60))).tool).toBe(0);
  });

  test("the rate is that of the times in which the model spoke", () => {
    const turn = { ...emptyTurn, usage: { inputTokens: 5, outputTokens: 120, thinkingTokens: 0 } };
    const blocks = [text("responding", 0, 4), tool({ startedAt: at(10), finishedAt: at(50) })];
    expect(rateOf({ ...turn, blocks })).toBe(30);
    expect(rateOf({ ...turn, blocks: [text("responding", 0, 0)] })).toBeUndefined();
  });

  test("while it speaks the rate is reckoned from what came", () => {
    expect(
      liveRate([
        { at: 0, chars: 100 },
        { at: 2_000, chars: 500 },
      ]),
    ).toBe(50);
    expect(liveRate([{ at: 0, chars: 100 }])).toBeUndefined();
    expect(
      liveRate([
        { at: 0, chars: 100 },
        { at: 2_000, chars: 100 },
      ]),
    ).toBeUndefined();
  });
});
