// Parts of a diff that are put back one by one, and side by side. Pure: a text in, a text out.
import type { DiffFile, DiffLine } from "./diff";

export interface Hunk {
  /** Where it begins among the lines of its file. */
  at: number;
  lines: DiffLine[];
  /** After how many lines of the file as it is it begins. */
  above: number;
}

const PLACE = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

export function hunksOf(lines: readonly DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  lines.forEach((line, at) => {
    if (line.kind === "hunk") {
      const place = PLACE.exec(line.text);
      const start = Number(place?.[1] ?? 0);
      hunks.push({ at, lines: [], above: place?.[2] === "0" ? start : start - 1 });
    } else {
      hunks.at(-1)?.lines.push(line);
    }
  });
  return hunks;
}

/** Lines with their line feeds, but where the diff says that there is none. */
function side(hunk: Hunk, kinds: readonly DiffLine["kind"][]): string[] {
  return hunk.lines.flatMap((line, at) => {
    if (!kinds.includes(line.kind)) return [];
    return [hunk.lines[at + 1]?.kind === "note" ? line.text : `${line.text}\n`];
  });
}

/** The text as it was before these hunks; null when it is not the text that they came from. */
export function without(text: string, hunks: readonly Hunk[]): string | null {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const hunk of hunks.toSorted((a, b) => b.above - a.above)) {
    const now = side(hunk, ["context", "added"]);
    if (now.some((line, at) => lines[hunk.above + at] !== line)) return null;
    lines.splice(hunk.above, now.length, ...side(hunk, ["context", "removed"]));
  }
  return lines.join("");
}

/** The text of a file that is gone. */
export function textBefore(file: DiffFile): string {
  return hunksOf(file.lines)
    .flatMap((hunk) => side(hunk, ["context", "removed"]))
    .join("");
}

/** Lines side by side: what was removed beside what came in its place; a hunk's head and notes stand across. */
export interface Pair {
  across?: DiffLine;
  /** Where the line across stands among all lines. */
  at: number;
  before?: DiffLine | undefined;
  after?: DiffLine | undefined;
}

export function pairsOf(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = [];
  let from = 0;
  while (from < lines.length) {
    const line = lines[from] as DiffLine;
    if (line.kind === "hunk" || line.kind === "note") {
      pairs.push({ across: line, at: from });
      from += 1;
    } else if (line.kind === "context") {
      pairs.push({ at: from, before: line, after: line });
      from += 1;
    } else {
      const removed = run(lines, from, "removed");
      const added = run(lines, from + removed.length, "added");
      for (let row = 0; row < Math.max(removed.length, added.length); row += 1) {
        pairs.push({ at: from, before: removed[row], after: added[row] });
      }
      from += removed.length + added.length;
    }
  }
  return pairs;
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): DiffLine[] {
  let to = from;
  while (lines[to]?.kind === kind) to += 1;
  return lines.slice(from, to);
}
