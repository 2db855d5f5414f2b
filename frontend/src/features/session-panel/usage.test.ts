import { describe, expect, it } from "vitest";
import type { BlockUnion, Usage } from "../../protocol/messages.gen";
import { contextTokens, contextUse, isCopied, summaryFailure, usageOfAll } from "./usage";

const used = (inputTokens: number, part: Partial<Usage> = {}): Usage => ({
  inputTokens,
  outputTokens: inputTokens / 10,
  thinkingTokens: 1,
  ...part,
});

const turns = (...usages: Usage[]) => usages.map((usage) => ({ usage, blocks: [] as BlockUnion[] }));

const summary = (state: "done" | "failed", superseded = false) => ({
  usage: used(0),
  blocks: [
    {
      mode: "tool",
      superseded,
      content: {
        name: "compact_context",
        state,
        response: state === "failed" ? "There is no summary. The model said nothing." : "What was done.",
      },
    },
  ] as BlockUnion[],
});

describe("the context of a session's model", () => {
  it("is what its latest round had, in whichever turn that was", () => {
    expect(contextTokens(turns(used(100, { contextTokens: 110 }), used(900, { contextTokens: 400 })))).toBe(
      400,
    );
    expect(contextTokens(turns(used(100, { contextTokens: 110 }), used(0)))).toBe(110);
  });

  it("is not known before a round ended, after a summary, and where nobody counted", () => {
    expect(contextTokens([])).toBeUndefined();
    expect(contextTokens(turns(used(100, { contextTokens: 110 }), used(100)))).toBeUndefined();
    expect(contextTokens(turns(used(100, { contextTokens: null })))).toBeUndefined();
  });

  it("is not known any more after a summary whose turn was cut off before anything was counted", () => {
    const before = turns(used(100, { contextTokens: 110 }));
    expect(contextTokens([...before, summary("done"), ...turns(used(0))])).toBeUndefined();
    expect(contextTokens([...before, summary("done"), ...turns(used(9, { contextTokens: 50 }))])).toBe(50);
    // Without a summary the conversation stayed as it was.
    expect(contextTokens([...before, summary("failed")])).toBe(110);
    expect(contextTokens([...before, summary("done", true)])).toBe(110);
    // Nor did it where a subagent summarised its own.
    const [nested] = summary("done").blocks;
    expect(
      contextTokens([...before, { ...summary("done"), blocks: [{ ...nested, parent: "d" } as BlockUnion] }]),
    ).toBe(110);
  });

  it("is the last that is known after a /compact that failed, which is told until something else is said", () => {
    const before = turns(used(100, { contextTokens: 110 }));
    const failed = { ...summary("failed"), usage: used(100) };
    expect(contextTokens([...before, failed])).toBe(110);
    expect(contextTokens([...before, failed, failed])).toBe(110);
    expect(contextTokens([failed])).toBeUndefined();
    expect(contextTokens([...before, { ...summary("done"), usage: used(100) }])).toBeUndefined();

    expect(summaryFailure([...before, failed])).toBe("There is no summary. The model said nothing.");
    expect(summaryFailure([...before, summary("done")])).toBeUndefined();
    expect(summaryFailure([...before, failed, ...turns(used(9))])).toBeUndefined();
    expect(summaryFailure([])).toBeUndefined();
  });

  it.each([
    [0, { percent: 0, nearlyFull: false }],
    [4096, { percent: 50, nearlyFull: false }],
    [6553, { percent: 80, nearlyFull: false }],
    [6554, { percent: 80, nearlyFull: true }],
    [9000, { percent: 100, nearlyFull: true }],
  ])("%i of 8192 tokens", (tokens, use) => {
    expect(contextUse(tokens, 8192)).toEqual(use);
  });
});

it("each turn is counted once, as the page knows it best", () => {
  const known = new Map([["t2", used(50, { cost: 0.5 })]]);
  const figures = [
    { turnId: "t1", usage: used(100, { cost: 0.25 }) },
    { turnId: "t2", usage: used(10) },
  ];
  expect(usageOfAll(known, figures)).toEqual({
    inputTokens: 150,
    outputTokens: 15,
    thinkingTokens: 2,
    cost: 0.75,
  });
  expect(usageOfAll(known, figures, used(20, { cost: 0.125 })), "with that of its title").toEqual({
    inputTokens: 170,
    outputTokens: 17,
    thinkingTokens: 3,
    cost: 0.875,
  });
  expect(usageOfAll(new Map(), []).cost).toBeNull();
});

it("a turn that is older than its session was copied into it", () => {
  const session = { createdAt: "2026-11-20T10:00:00Z" };
  expect(isCopied({ createdAt: "2026-11-20T09:59:59.999Z" }, session)).toBe(true);
  expect(isCopied({ createdAt: "2026-11-20T10:00:00Z" }, session)).toBe(false);
  expect(isCopied({ createdAt: "2026-11-20T10:00:00.001Z" }, session)).toBe(false);
});
