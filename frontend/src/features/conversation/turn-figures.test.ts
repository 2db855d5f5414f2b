import { describe, expect, test } from "vitest";
import type { BlockUnion, Tool } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { liveRate, modeTimes, rateOf, tokensOf, turnTimes } from "./turn-figures";

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

  test("a call that was denied took no time, and calls side by side take it once", () => {
    const blocks = [
      tool({ state: "denied", finishedAt: at(40) }),
      tool({ startedAt: at(50), finishedAt: at(60) }),
      tool({ startedAt: at(40), finishedAt: at(45) }),
      tool({ startedAt: at(41), finishedAt: at(47) }),
      tool({ startedAt: at(42), finishedAt: at(43) }),
    ];
    expect(modeTimes(blocks, Date.parse(at(60))).tool).toBe(17_000);
  });

  test("S0-52: what subagents say takes no time of its own, nor has it a part in the rate: their calls take it", () => {
    const nested = (mode: "thinking" | "responding", from: number, to: number): BlockUnion =>
      ({ ...text(mode, from, to), parent: "c", content: "x".repeat(4_000) }) as BlockUnion;
    const blocks = [
      { ...text("responding", 0, 2), content: "x".repeat(80) } as BlockUnion,
      tool({ startedAt: at(2), finishedAt: at(12) }),
      tool({ callId: "d", startedAt: at(2), finishedAt: at(10) }),
      nested("thinking", 2, 9),
      { ...nested("responding", 3, 10), parent: "d" } as BlockUnion,
      { ...tool({ callId: "e", startedAt: at(4), finishedAt: at(8) }), parent: "c" },
    ];
    expect(modeTimes(blocks, Date.parse(at(20)))).toEqual({ thinking: 0, responding: 2_000, tool: 10_000 });
    expect(rateOf({ ...emptyTurn, blocks })).toEqual({ tokensPerSecond: 10, rough: true });
  });

  test("the rate is that of the times in which the model spoke", () => {
    const turn = { ...emptyTurn, usage: { inputTokens: 5, outputTokens: 120, thinkingTokens: 40 } };
    const spoken = [text("thinking", 0, 1), text("responding", 1, 4)];
    expect(rateOf({ ...turn, blocks: spoken })).toEqual({ tokensPerSecond: 30, rough: false });
    expect(rateOf({ ...turn, blocks: [text("responding", 0, 4)] })?.tokensPerSecond).toBe(20);
    expect(rateOf({ ...turn, blocks: [text("responding", 0, 0)] })).toBeUndefined();
  });

  test("tokens of calls do not count as spoken: with calls the rate is that of the text, and rough", () => {
    const turn = { ...emptyTurn, usage: { inputTokens: 5, outputTokens: 2_000, thinkingTokens: 0 } };
    const calls = Array.from({ length: 20 }, () => tool({ startedAt: at(10), finishedAt: at(11) }));
    const answer = { ...text("responding", 12, 13), content: "x".repeat(160) } as BlockUnion;
    expect(rateOf({ ...turn, blocks: [...calls, answer] })).toEqual({ tokensPerSecond: 40, rough: true });
    expect(rateOf({ ...turn, blocks: calls })).toBeUndefined();
  });

  test("what a turn waited before it worked is no time of its work", () => {
    const turn = { ...emptyTurn, createdAt: at(0), status: "processing" as const };
    const now = Date.parse(at(50));
    expect(turnTimes({ ...turn, blocks: [text("responding", 3, 9)] }, now)).toEqual({
      worked: 50_000,
      waited: 0,
    });
    expect(turnTimes({ ...turn, blocks: [text("responding", 30, 32)] }, now)).toEqual({
      worked: 20_000,
      waited: 30_000,
    });
    expect(turnTimes(turn, now)).toEqual({ worked: 0, waited: 50_000 });
    expect(turnTimes({ ...turn, finishedAt: at(20) }, now)).toEqual({ worked: 20_000, waited: 0 });
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

describe("the tokens of a turn", () => {
  const long = (words: string): BlockUnion =>
    ({ ...text("responding", 0, null), content: words }) as BlockUnion;
  const usage = { inputTokens: 900, outputTokens: 300, thinkingTokens: 0 };
  const blocks = [long("x".repeat(1_200)), tool({}), long("y".repeat(482))];

  test("S0-48: those that were not counted yet are reckoned from the text since the last call", () => {
    const running = { ...emptyTurn, status: "processing", usage, blocks } as const;
    expect(tokensOf(running)).toMatchObject({ output: 420, outputRough: true });
    expect(tokensOf({ ...running, status: "finished" })).toMatchObject({ output: 300, outputRough: false });
    expect(tokensOf({ ...running, blocks: [] })).toMatchObject({ output: 300, outputRough: false });
  });

  test("S0-48, S0-52: of subagents at work what they said since their last call counts, and nothing twice", () => {
    const said = (parent: string, chars: number) => ({ ...long("z".repeat(chars)), parent }) as BlockUnion;
    const nested = [
      ...blocks.slice(0, 2),
      { ...tool({ callId: "d1" }), closedAt: null },
      { ...tool({ callId: "d2" }), closedAt: at(12) },
      said("d1", 4_000),
      { ...tool({ callId: "e" }), parent: "d1" },
      said("d2", 4_000),
      said("d1", 400),
    ];
    const running = { ...emptyTurn, status: "processing", usage, blocks: nested } as const;
    expect(tokensOf(running).output).toBe(400);
    expect(tokensOf({ ...running, usage: { ...usage, outputTokens: 0 } }).output).toBe(2_400);
  });

  test("S0-48: where nobody counts, the whole text does", () => {
    const uncounted = { ...emptyTurn, status: "finished", blocks } as const;
    expect(tokensOf(uncounted)).toMatchObject({ output: 420, outputRough: true });
    expect(tokensOf({ ...uncounted, blocks: [] })).toMatchObject({ output: 0, outputRough: false });
  });

  test("S0-48: thinking that the endpoint does not count is reckoned from what came of it", () => {
    const turn = { ...emptyTurn, usage, stats: { ...emptyTurn.stats, thinkingTokenCount: 21 } };
    expect(tokensOf(turn)).toMatchObject({ thinking: 21, thinkingRough: true });
    const counted = { ...turn, usage: { ...usage, thinkingTokens: 19 } };
    expect(tokensOf(counted)).toMatchObject({ thinking: 19, thinkingRough: false });
  });
});
