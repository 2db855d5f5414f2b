// A unified diff as files, and their lines, which know where they stand.
export type DiffLineKind = "hunk" | "context" | "added" | "removed" | "note";

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
  before: number | null;
  after: number | null;
}

export interface DiffFile {
  path: string;
  lines: DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const NOTES = /^(Binary files|new file|deleted file|old mode|new mode|\[|…)/;

/** Reads what git writes, and what a preview says without git's own header. */
export function readDiff(diff: string): DiffFile[] {
  const files: DiffFile[] = [];
  const rows = diff.replace(/\n$/, "").split("\n");
  let file: DiffFile | undefined;
  let before = 0;
  let after = 0;
  let inside = false;
  const add = (kind: DiffLineKind, text: string, from: number | null, to: number | null) => {
    if (!file) {
      file = { path: "", lines: [] };
      files.push(file);
    }
    file.lines.push({ kind, text, before: from, after: to });
  };
  rows.forEach((row, index) => {
    const hunk = HUNK.exec(row);
    const begins =
      row.startsWith("diff --git ") || (isHead(rows, index) && !(file && file.lines.length === 0));
    if (begins && !(row.startsWith("--- ") && headedByGit(rows, index))) {
      file = { path: pathOf(rows, index), lines: [] };
      files.push(file);
      inside = false;
    } else if (hunk) {
      inside = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      add("hunk", row, null, null);
    } else if (!inside) {
      if (NOTES.test(row)) add("note", row, null, null);
    } else if (row.startsWith("+")) {
      add("added", row.slice(1), null, after++);
    } else if (row.startsWith("-")) {
      add("removed", row.slice(1), before++, null);
    } else if (row.startsWith("\\")) {
      add("note", row.slice(2), null, null);
    } else {
      add("context", row.slice(1), before++, after++);
    }
  });
  return files;
}

/** Whether it says all that changes. Otherwise its last line, one of no file, says why: it was cut, or too long to be compared. */
export function isWhole(diff: string): boolean {
  return !/(^|\n)[…[].*\n*$/.test(diff);
}

/** Three dashes may be removed text; a head has its other half and a hunk below it. */
function isHead(rows: readonly string[], index: number): boolean {
  return (
    (rows[index] ?? "").startsWith("--- ") &&
    (rows[index + 1] ?? "").startsWith("+++ ") &&
    /^(@@|\[)/.test(rows[index + 2] ?? "@@")
  );
}

function headedByGit(rows: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 6); at--) {
    const row = rows[at] ?? "";
    if (row.startsWith("diff --git ")) return true;
    if (!/^(index|new|deleted|old|similarity|rename)/.test(row)) return false;
  }
  return false;
}

function pathOf(rows: readonly string[], from: number): string {
  for (let index = from; index < Math.min(rows.length, from + 8); index++) {
    const row = rows[index] ?? "";
    if (row.startsWith("@@")) break;
    if (row.startsWith("+++ ") && !row.startsWith("+++ /dev/null")) return stripped(row);
    if (row.startsWith("--- ") && rows[index + 1]?.startsWith("+++ /dev/null")) return stripped(row);
  }
  return /^diff --git a\/.* b\/(.*)$/.exec(rows[from] ?? "")?.[1] ?? "";
}

function stripped(row: string): string {
  return row
    .slice(4)
    .replace(/^[ab]\//, "")
    .replace(/\t.*$/, "");
}
