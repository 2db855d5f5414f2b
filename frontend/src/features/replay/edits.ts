// What the calls of tools had changed in files: their parameters say it, or the drone compared the files before and after.
import type { Tool, ToolCall } from "../../protocol/messages.gen";
import { type Blocks, storiesOf } from "../../turn/stories";
import { type DiffLineKind, readDiff } from "../changes/diff";
import { isEnvelope, readEnvelope } from "./envelope-patch";

/** Longer edits are shown by their beginning. */
const MOST_LINES = 200;

export interface EditLine {
  kind: DiffLineKind;
  text: string;
}

export interface Edit {
  path: string;
  /** The block of the call. */
  block: number;
  /** What was done, when lines do not say it. */
  note?: string;
  lines: readonly EditLine[];
  /** How many lines are not shown. */
  more: number;
}

/** By call: a replay asks at each of its steps, and a call that has ended says the same each time. */
const known = new WeakMap<ToolCall, readonly Edit[]>();

/** The edits of the calls that have ended, in their order; one that failed may have changed files all the same. */
export function editsOf(blocks: Blocks): Edit[] {
  const { own, ofCall } = storiesOf(blocks);
  return own.flatMap((block) => {
    if (block.mode !== "tool") return [];
    const edits = editsOfCall(block);
    const story = ofCall.get(block.content.callId);
    if (!story) return edits;
    // What the call changed as a whole says more than what its subagent did to the same files.
    const whole = new Set(edits.map(({ path }) => path));
    const parts = story.flatMap((part) => (part.mode === "tool" ? editsOfCall(part) : []));
    return [...parts.filter(({ path }) => !whole.has(path)), ...edits];
  });
}

function editsOfCall(block: Tool): readonly Edit[] {
  const edits = known.get(block.content) ?? readEdits(block);
  known.set(block.content, edits);
  return edits;
}

/** By file, in the order in which they were changed first. */
export function byPath(edits: readonly Edit[]): Map<string, Edit[]> {
  const files = new Map<string, Edit[]>();
  for (const edit of edits) {
    const file = files.get(edit.path);
    if (file) file.push(edit);
    else files.set(edit.path, [edit]);
  }
  return files;
}

function readEdits({ index, content: { name, parameters, state, diff } }: Tool): Edit[] {
  const text = (key: string) => (typeof parameters[key] === "string" ? (parameters[key] as string) : "");
  const edit = (path: string, note: string | undefined, lines: readonly EditLine[]): Edit => ({
    path,
    block: index,
    ...(note ? { note } : {}),
    lines: lines.slice(0, MOST_LINES),
    more: Math.max(0, lines.length - MOST_LINES),
  });
  if (diff) return readDiff(diff).map((file) => edit(file.path, `by ${name}`, file.lines));
  if (state !== "done") return [];
  switch (name) {
    case "write_file":
      return [edit(text("path"), "written as a whole", linesOf(text("content"), "added"))];
    case "edit_file":
      return [
        edit(
          text("path"),
          parameters.replace_all === true ? "everywhere in the file" : undefined,
          replaced(text("old_string"), text("new_string")),
        ),
      ];
    case "apply_patch":
      return isEnvelope(text("patch"))
        ? readEnvelope(text("patch")).map((file) => edit(file.path, file.note, file.lines))
        : readDiff(text("patch")).map((file) => edit(file.path, undefined, file.lines));
    case "delete_file":
      return [edit(text("path"), "deleted", [])];
    case "move_file":
      return [edit(text("to"), `moved from ${text("from")}`, [])];
    default:
      return [];
  }
}

function linesOf(text: string, kind: DiffLineKind): EditLine[] {
  return text ? split(text).map((line) => ({ kind, text: line })) : [];
}

function split(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** The one text against the other; the lines that both begin and end with are what surrounds the change. */
function replaced(before: string, after: string): EditLine[] {
  const old = split(before);
  const fresh = split(after);
  const shortest = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shortest && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const as = (kind: DiffLineKind, lines: readonly string[]) => lines.map((text) => ({ kind, text }));
  return [
    ...as("context", old.slice(0, head)),
    ...as("removed", old.slice(head, old.length - tail)),
    ...as("added", fresh.slice(head, fresh.length - tail)),
    ...as("context", old.slice(old.length - tail)),
  ];
}
