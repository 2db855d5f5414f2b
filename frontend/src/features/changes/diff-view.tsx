import { useMemo, useState } from "react";
import { Button } from "../../ui/button";
import { type DiffLineKind, parseDiff } from "./diff";

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

export function DiffView({ diff }: { diff: string }) {
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, FIRST_LINES);
  if (lines.length === 0) return <p className="px-3 py-2 text-xs text-faint">Its content is the same.</p>;
  return (
    <div data-testid="diff" className="thin-scroll overflow-x-auto border-y font-mono text-xs">
      <table className="w-full border-collapse">
        <caption className="sr-only">Differences, line by line</caption>
        <tbody>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other name, and do not move
            <tr key={index} data-kind={line.kind} className={ROWS[line.kind]}>
              <td className="w-9 min-w-9 select-none px-1 text-right text-2xs text-faint">{line.before}</td>
              <td className="w-9 min-w-9 select-none px-1 text-right text-2xs text-faint">{line.after}</td>
              <td className={`w-4 select-none text-center ${SIGN_COLOURS[line.kind] ?? ""}`} aria-hidden>
                {SIGNS[line.kind]}
              </td>
              <td className="whitespace-pre pr-3">
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
