import { describe, expect, test } from "vitest";
import type { BlockUnion, Turn } from "../protocol/messages.gen";
import { emptyTurn, recorded, recordedNested } from "./recorded";
import { apply, applyAll, type TurnCopy } from "./reducer";
import { sameBlocks, storiesOf } from "./stories";

const blocksOf = (stream: typeof recorded) => (applyAll(undefined, stream) as TurnCopy).turn.blocks;
const places = (blocks: readonly BlockUnion[] | undefined) => blocks?.map((block) => block.index);

const tool = (index: number, callId: string, parent?: string): BlockUnion => ({
  mode: "tool",
  index,
  createdAt: "",
  ...(parent ? { parent } : {}),
  content: { callId, name: "delegate", parameters: {}, state: "done" },
});

describe("S0-52: whose the blocks of a turn are", () => {
  test("the turn's own stand apart from those of each subagent, all in their order", () => {
    const { own, ofCall } = storiesOf(blocksOf(recordedNested));
    expect(places(own)).toEqual([0, 1, 2, 9]);
    expect([...ofCall].map(([call, story]) => [call, places(story)])).toEqual([
      ["d1", [3, 5, 7]],
      ["d2", [4, 6, 8]],
    ]);
  });

  test("a turn without subagents is its own, as it is", () => {
    const blocks = blocksOf(recorded);
    expect(storiesOf(blocks).own).toBe(blocks);
    expect(storiesOf(blocks).ofCall.size).toBe(0);
  });

  test("every block is somewhere once: also what a subagent of a subagent did, and what names a call that is not there", () => {
    const blocks = [
      tool(0, "d"),
      tool(1, "inner", "d"),
      tool(2, "innermost", "inner"),
      tool(3, "lost", "elsewhere"),
    ];
    const { own, ofCall } = storiesOf(blocks);
    expect(places(own)).toEqual([0, 3]);
    expect([...ofCall.keys()]).toEqual(["d"]);
    expect(places(ofCall.get("d"))).toEqual([1, 2]);
  });

  test("a story in which nothing changed is the same one, and is not drawn again", () => {
    const before = applyAll(undefined, recordedNested.slice(0, 10)) as TurnCopy;
    const after = apply(before, { kind: "text_delta", index: 4, mode: "thinking", offset: 11, text: "?" });
    const story = (copy: { turn: Turn }, call: string) => storiesOf(copy.turn.blocks).ofCall.get(call) ?? [];
    expect(sameBlocks(story(before, "d1"), story(after, "d1"))).toBe(true);
    expect(sameBlocks(story(before, "d2"), story(after, "d2"))).toBe(false);
    expect(sameBlocks(storiesOf(emptyTurn.blocks).own, [])).toBe(true);
  });
});
