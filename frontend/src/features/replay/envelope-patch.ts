// A patch between `*** Begin Patch` and `*** End Patch` as files and their lines; the drone has applied it, so what it left out is left out here.
import type { DiffLineKind } from "../changes/diff";
import type { EditLine } from "./edits";

export interface EnvelopeFile {
  path: string;
  /** What became of the file as a whole. */
  note?: string;
  lines: EditLine[];
}

const FILE = /^\*\*\* (Add|Update|Delete) File:(.*)$/;
const MOVE = /^\*\*\* Move to:(.*)$/;

/** Whether a patch is one, as the drone tells it. */
export function isEnvelope(patch: string): boolean {
  return /^\*\*\* (Begin Patch|(Add|Update|Delete) File: )/m.test(patch);
}

export function readEnvelope(patch: string): EnvelopeFile[] {
  const files: { file: EnvelopeFile; made: boolean; rows: string[] }[] = [];
  let inside = false;
  for (const row of patch.split(/\r?\n/)) {
    const last = files.at(-1);
    const [, kind, path = ""] = FILE.exec(row) ?? [];
    const to = MOVE.exec(row)?.[1]?.trim();
    if (kind) {
      inside = true;
      const note = kind === "Delete" ? { note: "deleted" } : {};
      files.push({ file: { path: path.trim(), lines: [], ...note }, made: kind === "Add", rows: [] });
    } else if (/^\*\*\* (Begin|End) Patch/.test(row)) {
      inside = false;
    } else if (inside && last && to) {
      last.file.note = `moved from ${last.file.path}`;
      last.file.path = to;
    } else if (inside && row.trimEnd() !== "*** End of File") {
      last?.rows.push(row);
    }
  }
  return files.map(({ file, made, rows }) => {
    // Blank lines before the next mark are nobody's.
    while (rows.at(-1) === "") rows.pop();
    return { ...file, lines: rows.map((row) => lineOf(row, made ? "added" : "context")) };
  });
}

function lineOf(row: string, unsigned: DiffLineKind): EditLine {
  if (row.startsWith("@@")) return { kind: "hunk", text: row };
  if (row.startsWith("+")) return { kind: "added", text: row.slice(1) };
  if (row.startsWith("-")) return { kind: "removed", text: row.slice(1) };
  return { kind: unsigned, text: row.slice(1) };
}
