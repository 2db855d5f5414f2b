import { describe, expect, test } from "vitest";
import type { BlockUnion } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { copyOf } from "../../turn/reducer";
import { find } from "./find";
import { segmentsOf } from "./segments";

function turnOf(blocks: number) {
  const all = Array.from(
    { length: blocks },
    (_, index): BlockUnion => ({
      mode: "responding",
      index,
      createdAt: "2026-11-20T10:00:00Z",
      content: "x",
    }),
  );
  return copyOf({ ...emptyTurn, blocks: all });
}

describe("the parts of a turn", () => {
  test("a short one is one part, with its prompt and its end", () => {
    for (const blocks of [0, 1, 16]) {
      expect(segmentsOf(turnOf(blocks))).toMatchObject([{ from: 0, to: blocks, first: true, last: true }]);
    }
  });

  test("a long one is many parts that miss and double no block, however long it gets", () => {
    const cut = segmentsOf(turnOf(5_000));
    expect(cut.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))).toEqual(
      Array.from({ length: 5_000 }, (_, at) => at),
    );
    expect(Math.max(...cut.map(({ from, to }) => to - from))).toBeLessThanOrEqual(16);
    expect(cut.filter((one) => one.first)).toEqual([cut[0]]);
    expect(cut.filter((one) => one.last)).toEqual([cut.at(-1)]);
  });

  test("while it grows its first parts keep their names and their places", () => {
    const before = segmentsOf(turnOf(40));
    const after = segmentsOf(turnOf(41));
    expect(after.slice(0, 2).map(({ key, from, to }) => ({ key, from, to }))).toEqual(
      before.slice(0, 2).map(({ key, from, to }) => ({ key, from, to })),
    );
  });

  test("S0-52: what subagents did is not among them, however much it is: it is within their calls", () => {
    const turn = (nested: number) => {
      const { blocks } = turnOf(20 + nested).turn;
      const call = { callId: "d", name: "delegate", parameters: {}, state: "running" } as const;
      return copyOf({
        ...emptyTurn,
        blocks: [
          { mode: "tool", index: 0, createdAt: "", content: call },
          ...blocks.slice(1, 20),
          ...blocks.slice(20).map((block) => ({ ...block, parent: "d" }) as BlockUnion),
        ],
      });
    };
    const places = (nested: number) =>
      segmentsOf(turn(nested)).map(({ key, from, to }) => ({ key, from, to }));
    expect(places(500)).toEqual(places(0));
    expect(find(segmentsOf(turn(500)), "x")).toHaveLength(19);
  });
});
