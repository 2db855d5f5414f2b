// A unified diff as files and lines.

export interface DiffLine {
  kind: "same" | "added" | "removed" | "hunk";
  text: string;
  before: number | undefined;
  after: number | undefined;
}

export interface DiffFile {
  path: string;
  note: string | undefined;
  lines: DiffLine[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Reads what git and others write; what it does not know is shown as a note of its file. */
export function readDiff(diff: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | undefined;
  let before = 0;
  let after = 0;
  let inHunk = false;
  const rows = diff.split("\n");
  if (rows.at(-1) === "") rows.pop();
  rows.forEach((row, index) => {
    const hunk = HUNK.exec(row);
    if (row.startsWith("diff --git ") || (row.startsWith("--- ") && !inHunkHeader(rows, index, file))) {
      file = { path: pathOf(rows, index), note: undefined, lines: [] };
      files.push(file);
      inHunk = false;
      return;
    }
    if (!file) {
      file = { path: "", note: undefined, lines: [] };
      files.push(file);
    }
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      inHunk = true;
      file.lines.push({ kind: "hunk", text: row, before: undefined, after: undefined });
    } else if (!inHunk) {
      file.note = noteOf(row) ?? file.note;
    } else if (row.startsWith("+")) {
      file.lines.push({ kind: "added", text: row.slice(1), before: undefined, after: after++ });
    } else if (row.startsWith("-")) {
      file.lines.push({ kind: "removed", text: row.slice(1), before: before++, after: undefined });
    } else if (row.startsWith("\\")) {
      return;
    } else {
      file.lines.push({ kind: "same", text: row.slice(1), before: before++, after: after++ });
    }
  });
  return files;
}

/** Whether these three dashes belong to a file that a line above has begun, or are removed text. */
function inHunkHeader(rows: readonly string[], index: number, file: DiffFile | undefined): boolean {
  const heads = rows[index + 1]?.startsWith("+++ ") ?? false;
  return !heads || (file !== undefined && file.lines.length === 0 && file.path !== "");
}

function pathOf(rows: readonly string[], from: number): string {
  for (let index = from; index < Math.min(rows.length, from + 8); index++) {
    const row = rows[index] ?? "";
    if (row.startsWith("+++ ") && !row.startsWith("+++ /dev/null")) return stripped(row);
    if (row.startsWith("--- ") && rows[index + 1]?.startsWith("+++ /dev/null")) return stripped(row);
    if (row.startsWith("@@")) break;
  }
  return /^diff --git a\/.* b\/(.*)$/.exec(rows[from] ?? "")?.[1] ?? "";
}

function stripped(row: string): string {
  return row
    .slice(4)
    .replace(/^[ab]\//, "")
    .replace(/\t.*$/, "");
}

function noteOf(row: string): string | undefined {
  if (row.startsWith("new file")) return "new";
  if (row.startsWith("deleted file")) return "deleted";
  if (row.startsWith("Binary files")) return "not text";
  if (row.startsWith("[") || row.startsWith("…")) return row;
  return undefined;
}
