// Puts a turn together from its changes, whichever door they came through. Pure: a copy in, a copy out.
import type {
  AwaitingConfirmation,
  BlockUnion,
  CallGrows,
  Retrying,
  TextDelta,
  Tool,
  ToolOutput,
  ToolState,
  Turn,
  TurnChangeUnion,
  TurnStatus,
} from "../protocol/messages.gen";

/** The page's copy of a turn. */
export interface TurnCopy {
  turn: Turn;
  /** The retry that is being waited for, until something else happens. */
  retrying: Retrying | null;
  /** The call that the model writes. */
  growing: CallGrows | null;
  /** The same turn while it is told from its start again, in pieces: it is shown when it has come as far as what is shown. */
  coming?: TurnCopy;
}

/** A change does not fit what the copy has: something before it is missing, so the turn has to be read anew. */
export class GapError extends Error {
  constructor(what: string) {
    super(`A part of the turn is missing: ${what}`);
    this.name = "GapError";
  }
}

const ENDED: ReadonlySet<TurnStatus> = new Set([
  "finished",
  "failed",
  "cancelled",
  "interrupted",
  "budget_reached",
]);

export function isEnded(status: TurnStatus): boolean {
  return ENDED.has(status);
}

/** Whether it has ended for good: one that was interrupted goes on when its drone comes back. */
export function isOver(status: TurnStatus): boolean {
  return isEnded(status) && status !== "interrupted";
}

export function copyOf(turn: Turn): TurnCopy {
  return { turn, retrying: null, growing: null };
}

/** Applies the changes in their order; a snapshot may come first, when there is no copy yet it has to. */
export function applyAll(
  copy: TurnCopy | undefined,
  changes: readonly TurnChangeUnion[],
): TurnCopy | undefined {
  return changes.reduce<TurnCopy | undefined>(apply, copy);
}

export function apply(copy: TurnCopy | undefined, change: TurnChangeUnion): TurnCopy {
  if (change.kind === "snapshot") return begun(copy, change.turn);
  if (!copy) throw new GapError(`there is no snapshot before '${change.kind}'`);
  if (copy.coming) return comes(copy, apply(copy.coming, change), change);
  switch (change.kind) {
    case "text_delta":
      return withBlock(quiet(copy), change.index, (block) => appendText(block, change));
    case "block_closed":
      return withBlock(copy, change.index, (block) => ({
        ...present(block, change.index),
        closedAt: change.closedAt,
      }));
    case "block_superseded":
      return withBlock(copy, change.index, (block) => ({
        ...present(block, change.index),
        superseded: true,
      }));
    case "tool_state":
      return withBlock(quiet(copy), change.index, (block) => toolBlock(block, change));
    case "tool_output":
      return withBlock(copy, change.index, (block) => appendOutput(block, change));
    case "awaiting_confirmation":
      return withBlock(copy, change.index, (block) => asking(block, change));
    case "status":
      return isOver(copy.turn.status)
        ? copy
        : withTurn(quiet(copy), {
            status: change.status,
            error: change.error ?? undefined,
            finishedAt: change.finishedAt ?? undefined,
          });
    case "usage":
      return withTurn(copy, { usage: change.usage, stats: change.stats });
    case "retrying":
      return { ...copy, retrying: change, growing: null };
    case "call_grows":
      return { ...copy, retrying: null, growing: change };
    case "files_changed":
      return withTurn(copy, { files: change.files });
    case "done":
    case "error":
      return withTurn(quiet(copy), {
        status: change.status,
        usage: change.usage,
        stats: change.stats,
        finishedAt: change.finishedAt,
        error: change.error ?? undefined,
      });
  }
}

/** A turn without its blocks is the first piece of a long one, and empties nobody's page. */
function begun(copy: TurnCopy | undefined, turn: Turn): TurnCopy {
  const inPieces = turn.blocks.length === 0 && turn.status !== "queued";
  return inPieces && copy && copy.turn.blocks.length > 0 ? { ...copy, coming: copyOf(turn) } : copyOf(turn);
}

function comes(shown: TurnCopy, coming: TurnCopy, change: TurnChangeUnion): TurnCopy {
  const stops =
    change.kind === "done" || change.kind === "error" || (change.kind === "status" && isEnded(change.status));
  return stops || reaches(coming.turn.blocks, shown.turn.blocks) ? coming : { ...shown, coming };
}

function reaches(coming: readonly BlockUnion[], shown: readonly BlockUnion[]): boolean {
  return (
    coming.length > shown.length ||
    (coming.length === shown.length && lengthOf(coming.at(-1)) >= lengthOf(shown.at(-1)))
  );
}

function lengthOf(block: BlockUnion | undefined): number {
  return (block?.mode === "tool" ? block.content.output : block?.content)?.length ?? 0;
}

function withTurn(copy: TurnCopy, part: Partial<Turn>): TurnCopy {
  return { ...copy, turn: { ...copy.turn, ...part } };
}

function quiet(copy: TurnCopy): TurnCopy {
  return copy.retrying || copy.growing ? { ...copy, retrying: null, growing: null } : copy;
}

function withBlock(
  copy: TurnCopy,
  index: number,
  change: (block: BlockUnion | undefined) => BlockUnion,
): TurnCopy {
  const { blocks } = copy.turn;
  if (index > blocks.length) throw new GapError(`block ${index} comes after ${blocks.length} blocks`);
  const before = blocks[index];
  const after = change(before);
  if (after === before) return copy;
  const next = blocks.slice();
  next[index] = after;
  return withTurn(copy, { blocks: next });
}

function present(block: BlockUnion | undefined, index: number): BlockUnion {
  if (!block) throw new GapError(`block ${index} is not there`);
  return block;
}

function appendText(block: BlockUnion | undefined, delta: TextDelta): BlockUnion {
  if (delta.mode === "tool") throw new GapError(`block ${delta.index} is a tool call, not text`);
  if (!block) {
    if (delta.offset > 0) throw new GapError(`block ${delta.index} starts at ${delta.offset}`);
    const { mode, index, parent, text } = delta;
    return { mode, index, createdAt: delta.createdAt ?? "", ...(parent ? { parent } : {}), content: text };
  }
  if (block.mode !== delta.mode)
    throw new GapError(`block ${delta.index} is '${block.mode}', not '${delta.mode}'`);
  const content = appended(block.content, delta.offset, delta.text, delta.index);
  return content === block.content ? block : { ...block, content };
}

function appendOutput(block: BlockUnion | undefined, change: ToolOutput): Tool {
  if (block?.mode !== "tool") throw new GapError(`tool call ${change.index} is not there`);
  const before = block.content.output ?? "";
  const output = appended(before, change.offset, change.text, change.index);
  return output === before ? block : { ...block, content: { ...block.content, output } };
}

function asking(block: BlockUnion | undefined, change: AwaitingConfirmation): Tool {
  if (block?.mode !== "tool") throw new GapError(`tool call ${change.index} is not there`);
  const { reason, preview, shown, patterns, decided } = change;
  return { ...block, content: { ...block.content, approval: { reason, preview, shown, patterns, decided } } };
}

/** What is there already is left as it is: text only grows. */
function appended(before: string, offset: number, text: string, index: number): string {
  if (offset > before.length)
    throw new GapError(`block ${index} has ${before.length} characters, not ${offset}`);
  return offset + text.length <= before.length ? before : before + text.slice(before.length - offset);
}

function toolBlock(block: BlockUnion | undefined, change: ToolState): Tool {
  if (block && block.mode !== "tool")
    throw new GapError(`block ${change.index} is '${block.mode}', not 'tool'`);
  const { index, createdAt, closedAt, content } = change;
  const parent = change.parent ?? block?.parent;
  const output = block?.content.output ?? content.output;
  return {
    mode: "tool",
    index,
    createdAt,
    ...(closedAt ? { closedAt } : {}),
    ...(block?.superseded ? { superseded: true } : {}),
    ...(parent ? { parent } : {}),
    content: { ...content, ...(output ? { output } : {}) },
  };
}
