// Cuts turns into parts of bounded size, so that a page shows those that are near and leaves out the rest.
import type { TurnCopy } from "../../turn/reducer";
import { ownBlocks } from "../../turn/stories";

/** A part of a turn that is shown, measured and left out as one: its own blocks from `from` up to `to`. */
export interface Segment {
  key: string;
  copy: TurnCopy;
  from: number;
  to: number;
  /** It begins with the prompt. */
  first: boolean;
  /** It ends with how the turn ended. */
  last: boolean;
}

const BLOCKS = 16;

const cutBefore = new WeakMap<TurnCopy, readonly Segment[]>();

/** The parts of one turn; the first ones stay the same ones while it grows. */
export function segmentsOf(copy: TurnCopy): readonly Segment[] {
  const known = cutBefore.get(copy);
  if (known) return known;
  const { id } = copy.turn;
  const blocks = ownBlocks(copy.turn.blocks);
  const count = Math.max(1, Math.ceil(blocks.length / BLOCKS));
  const cut = Array.from({ length: count }, (_, at) => ({
    key: `${id}/${at}`,
    copy,
    from: at * BLOCKS,
    to: Math.min(blocks.length, (at + 1) * BLOCKS),
    first: at === 0,
    last: at === count - 1,
  }));
  cutBefore.set(copy, cut);
  return cut;
}
