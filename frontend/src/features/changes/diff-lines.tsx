import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button";
import { PlainText } from "../../ui/plain-text";
import type { DiffLine, DiffLineKind } from "./diff";
import type { DiffStyle } from "./diff-style";
import { pairsOf } from "./hunks";

/** So many rows are on the page at once: one with all lines of a large diff is slow. */
const ROWS_AT_ONCE = 1_500;

const ROWS: Record<DiffLineKind, string> = {
  hunk: "bg-sunken text-faint",
  context: "text-soft",
  added: "bg-accent-wash text-ink",
  removed: "bg-bad-wash text-ink",
  note: "text-faint italic",
};
const SIGNS: Partial<Record<DiffLineKind, string>> = { added: "+", removed: "−" };
const SIGN_COLOURS: Partial<Record<DiffLineKind, string>> = { added: "text-good", removed: "text-bad" };
const WORDS: Partial<Record<DiffLineKind, string>> = { added: "added: ", removed: "removed: " };

interface DiffLinesProps {
  lines: readonly DiffLine[];
  style?: DiffStyle;
  /** It scrolls in itself when it is high. */
  bounded?: boolean;
  /** What stands at the head of the hunk that begins at this line. */
  atHunk?(at: number): ReactNode;
}

/** The lines of a file's differences, one below the other or side by side. */
export function DiffLines({ lines, style = "inline", bounded = false, atHunk }: DiffLinesProps) {
  const [from, setFrom] = useState(0);
  const rows = style === "side" ? pairsOf(lines) : lines;
  const start = from < rows.length ? from : 0;
  const end = Math.min(rows.length, start + ROWS_AT_ONCE);
  return (
    <>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        data-testid="diff-lines"
        data-style={style}
        className={`thin-scroll overflow-auto font-mono text-xs ${bounded ? "max-h-96" : ""}`}
      >
        <table className={`w-full border-collapse leading-[1.55] ${style === "side" ? "table-fixed" : ""}`}>
          <caption className="sr-only">Differences, line by line</caption>
          {style === "side" && <SideColumns />}
          <tbody>
            {style === "side" ? (
              <SideRows lines={lines} start={start} end={end} atHunk={atHunk} />
            ) : (
              <InlineRows lines={lines} start={start} end={end} atHunk={atHunk} />
            )}
          </tbody>
        </table>
      </div>
      {rows.length > ROWS_AT_ONCE && (
        <div className="flex items-center gap-2 p-2 text-xs text-faint">
          <Button
            size="small"
            disabled={start === 0}
            onClick={() => setFrom(Math.max(0, start - ROWS_AT_ONCE))}
          >
            <ChevronLeft size={13} aria-hidden />
            Before
          </Button>
          <span role="status" className="tabular-nums">
            Lines {(start + 1).toLocaleString()} to {end.toLocaleString()} of {rows.length.toLocaleString()}
          </span>
          <Button size="small" disabled={end === rows.length} onClick={() => setFrom(end)}>
            After
            <ChevronRight size={13} aria-hidden />
          </Button>
        </div>
      )}
    </>
  );
}

interface RowsProps {
  lines: readonly DiffLine[];
  start: number;
  end: number;
  atHunk: DiffLinesProps["atHunk"];
}

const NUMBER = "w-9 min-w-9 px-1 text-right align-top text-2xs text-faint tabular-nums select-none";

function InlineRows({ lines, start, end, atHunk }: RowsProps) {
  return lines.slice(start, end).map((line, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name, and do not move
    <tr key={start + row} data-kind={line.kind} className={ROWS[line.kind]}>
      <td className={NUMBER}>{line.before}</td>
      <td className={NUMBER}>{line.after}</td>
      <td className={`w-4 text-center select-none ${SIGN_COLOURS[line.kind] ?? ""}`} aria-hidden>
        {SIGNS[line.kind]}
      </td>
      <td className="h-[1.55em] pr-3 whitespace-pre" dir="ltr">
        {WORDS[line.kind] && <span className="sr-only">{WORDS[line.kind]}</span>}
        <PlainText text={line.text} />
        {line.kind === "hunk" && atHunk?.(start + row)}
      </td>
    </tr>
  ));
}

function SideColumns() {
  return (
    <colgroup>
      <col className="w-9" />
      <col />
      <col className="w-9" />
      <col />
    </colgroup>
  );
}

function SideRows({ lines, start, end, atHunk }: RowsProps) {
  return pairsOf(lines)
    .slice(start, end)
    .map((pair, row) =>
      pair.across ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name, and do not move
        <tr key={start + row} data-kind={pair.across.kind} className={ROWS[pair.across.kind]}>
          <td colSpan={4} className="px-2 whitespace-pre" dir="ltr">
            <PlainText text={pair.across.text} />
            {pair.across.kind === "hunk" && atHunk?.(pair.at)}
          </td>
        </tr>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name, and do not move
        <tr key={start + row} data-kind="pair">
          <Side line={pair.before} number={pair.before?.before} />
          <Side line={pair.after} number={pair.after?.after} />
        </tr>
      ),
    );
}

function Side({ line, number }: { line: DiffLine | undefined; number: number | null | undefined }) {
  const colour = line ? ROWS[line.kind] : "bg-side";
  return (
    <>
      <td className={`${NUMBER} ${colour}`}>{number}</td>
      <td
        className={`h-[1.55em] px-1.5 align-top whitespace-pre-wrap [overflow-wrap:anywhere] ${colour}`}
        dir="ltr"
      >
        {line && WORDS[line.kind] && <span className="sr-only">{WORDS[line.kind]}</span>}
        {line && <PlainText text={line.text} />}
      </td>
    </>
  );
}
