import { memo, useMemo, useState } from "react";
import { Button } from "../../ui/button";
import { type DiffFile, type DiffLine, readDiff } from "./diff";

/** More lines than this are shown only when the person wants them. */
const SHOWN_LINES = 400;

/** A unified diff, a file after the other. */
export const DiffView = memo(function DiffView({ diff, label }: { diff: string; label: string }) {
  const files = useMemo(() => readDiff(diff), [diff]);
  return (
    <section aria-label={label} className="flex flex-col gap-2">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a diff is shown as a whole, and its files have no other name
        <FileDiff key={index} file={file} />
      ))}
    </section>
  );
});

const ROWS: Record<DiffLine["kind"], string> = {
  same: "",
  added: "bg-accent-wash",
  removed: "bg-bad-wash",
  hunk: "bg-sunken text-faint",
};

const SIGNS: Record<DiffLine["kind"], string> = { same: " ", added: "+", removed: "−", hunk: " " };

function FileDiff({ file }: { file: DiffFile }) {
  const [all, setAll] = useState(false);
  const lines = all ? file.lines : file.lines.slice(0, SHOWN_LINES);
  return (
    <div className="overflow-hidden rounded-md border bg-raised">
      <div className="flex items-center gap-2 border-b bg-side px-2.5 py-1 font-mono text-xs">
        <span className="min-w-0 truncate" dir="auto">
          {file.path || "…"}
        </span>
        {file.note && <span className="shrink-0 font-sans text-2xs text-faint">{file.note}</span>}
      </div>
      {lines.length > 0 && (
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
          tabIndex={0}
          className="thin-scroll max-h-96 overflow-auto"
        >
          <table className="w-full border-collapse font-mono text-xs leading-[1.55]">
            <tbody>
              {lines.map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
                <tr key={index} className={ROWS[line.kind]}>
                  <td className="w-px px-2 text-right text-faint tabular-nums select-none">{line.before}</td>
                  <td className="w-px pr-2 text-right text-faint tabular-nums select-none">{line.after}</td>
                  <td className="pr-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
                    <span aria-hidden className="mr-1 text-faint select-none">
                      {SIGNS[line.kind]}
                    </span>
                    {line.kind === "added" && <span className="sr-only">added: </span>}
                    {line.kind === "removed" && <span className="sr-only">removed: </span>}
                    {line.text}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {file.lines.length > lines.length && (
        <div className="border-t p-1">
          <Button kind="quiet" size="small" onClick={() => setAll(true)}>
            Show {file.lines.length - lines.length} more lines
          </Button>
        </div>
      )}
    </div>
  );
}
