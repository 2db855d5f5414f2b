// A unified diff of one file, read into lines that know where they stand.
export type DiffLineKind = "hunk" | "context" | "added" | "removed" | "note";

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
  before: number | null;
  after: number | null;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** The lines of all hunks; what stands before them is left out but for what says that there are none. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  const note = (text: string) => lines.push({ kind: "note", text, before: null, after: null });
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      inside = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: "hunk", text: line, before: null, after: null });
    } else if (line.startsWith("diff --git ")) {
      inside = false;
    } else if (!inside) {
      if (/^(Binary files|new file|deleted file|old mode|new mode)/.test(line)) note(line);
    } else if (line.startsWith("+")) {
      lines.push({ kind: "added", text: line.slice(1), before: null, after });
      after += 1;
    } else if (line.startsWith("-")) {
      lines.push({ kind: "removed", text: line.slice(1), before, after: null });
      before += 1;
    } else if (line.startsWith("\\")) {
      note(line.slice(2));
    } else {
      lines.push({ kind: "context", text: line.slice(1), before, after });
      before += 1;
      after += 1;
    }
  }
  return lines;
}
