import { memo, useMemo, useState } from "react";
import { Button } from "../../ui/button";
import { type DiffFile, type DiffLine, type DiffLineKind, readDiff } from "./diff";

/** More are drawn only when somebody wants them: a page with all lines of a large diff is slow. */
const FIRST_LINES = 1_500;

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

/** The diff of one file whose name stands above it already. */
export function FileDiffView({ diff }: { diff: string }) {
  const lines = useMemo(() => readDiff(diff).flatMap((file) => file.lines), [diff]);
  if (lines.length === 0) return <p className="px-3 py-2 text-xs text-faint">Its content is the same.</p>;
  return (
    <div data-testid="diff" className="border-y">
      <Lines lines={lines} />
    </div>
  );
}

/** A unified diff, a file after the other. */
export const DiffView = memo(function DiffView({ diff, label }: { diff: string; label: string }) {
  const files = useMemo(() => readDiff(diff), [diff]);
  return (
    <section aria-label={label} className="flex flex-col gap-2">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a diff is shown as a whole, and its files have no other name
        <NamedFile key={index} file={file} />
      ))}
    </section>
  );
});

function NamedFile({ file }: { file: DiffFile }) {
  return (
    <div className="overflow-hidden rounded-md border bg-raised">
      <div className="truncate border-b bg-side px-2.5 py-1 font-mono text-xs" dir="auto">
        {file.path || "…"}
      </div>
      <Lines lines={file.lines} bounded />
    </div>
  );
}

function Lines({ lines, bounded = false }: { lines: DiffLine[]; bounded?: boolean }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, FIRST_LINES);
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      className={`thin-scroll overflow-auto font-mono text-xs ${bounded ? "max-h-96" : ""}`}
    >
      <table className="w-full border-collapse leading-[1.55]">
        <caption className="sr-only">Differences, line by line</caption>
        <tbody>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name, and do not move
            <tr key={index} data-kind={line.kind} className={ROWS[line.kind]}>
              <td className="w-9 min-w-9 px-1 text-right text-2xs text-faint tabular-nums select-none">
                {line.before}
              </td>
              <td className="w-9 min-w-9 px-1 text-right text-2xs text-faint tabular-nums select-none">
                {line.after}
              </td>
              <td className={`w-4 text-center select-none ${SIGN_COLOURS[line.kind] ?? ""}`} aria-hidden>
                {SIGNS[line.kind]}
              </td>
              <td className="pr-3 whitespace-pre">
                {WORDS[line.kind] && <span className="sr-only">{WORDS[line.kind]}</span>}
                {line.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <div className="p-2">
          <Button size="small" onClick={() => setAll(true)}>
            Show all {lines.length.toLocaleString()} lines
          </Button>
        </div>
      )}
    </div>
  );
}
