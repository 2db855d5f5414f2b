// Whose the blocks of a turn are: its own, or those of the subagents that its calls have at work.
import type { BlockUnion } from "../protocol/messages.gen";

export type Blocks = readonly BlockUnion[];

export interface Stories {
  /** What the turn itself thought, said and called. */
  own: Blocks;
  /** What a subagent did, by the call for which it works. */
  ofCall: ReadonlyMap<string, Blocks>;
}

const NONE: ReadonlyMap<string, Blocks> = new Map();

const told = new WeakMap<Blocks, Stories>();

export function storiesOf(blocks: Blocks): Stories {
  const known = told.get(blocks);
  if (known) return known;
  const stories = blocks.some(parentOf) ? apart(blocks) : { own: blocks, ofCall: NONE };
  told.set(blocks, stories);
  return stories;
}

export function ownBlocks(blocks: Blocks): Blocks {
  return storiesOf(blocks).own;
}

/** The call for whose subagent it is; none for the turn's own. */
export function parentOf(block: BlockUnion): string | null | undefined {
  return block.mode === "prompt" ? null : block.parent;
}

/** All that came of a call of the turn is one story; whose call is not there stands in the turn, so that nothing is lost. */
function apart(blocks: Blocks): Stories {
  const own: BlockUnion[] = [];
  const ofCall = new Map<string, BlockUnion[]>();
  const roots = new Map<string, string>();
  for (const block of blocks) {
    const root = roots.get(parentOf(block) ?? "");
    if (block.mode === "tool") roots.set(block.content.callId, root ?? block.content.callId);
    if (root === undefined) own.push(block);
    else {
      const story = ofCall.get(root);
      if (story) story.push(block);
      else ofCall.set(root, [block]);
    }
  }
  return { own, ofCall };
}

/** Whether nothing in it changed; the lists are made anew with each change of the turn. */
export function sameBlocks(before: Blocks, now: Blocks): boolean {
  return before.length === now.length && before.every((block, index) => block === now[index]);
}
