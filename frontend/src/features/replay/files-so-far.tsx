import { memo } from "react";
import type { Turn } from "../../protocol/messages.gen";
import { PlainText } from "../../ui/plain-text";
import { DiffView } from "../changes/diff-view";
import { byPath, type Edit, type EditLine } from "./edits";

/** More edits of one file are not shown at a time, the latest are. */
const MOST_EDITS = 20;

const SIGNS: Partial<Record<EditLine["kind"], string>> = { added: "+", removed: "−" };
const ROWS: Partial<Record<EditLine["kind"], string>> = {
  added: "bg-accent-wash",
  removed: "bg-bad-wash",
  hunk: "text-faint",
};
const WORDS: Partial<Record<EditLine["kind"], string>> = { added: "added: ", removed: "removed: " };

/** Which files the calls of tools had changed by now, and how; at the end the diff that the drone made of the whole turn. */
export function FilesSoFar({
  turn,
  edits,
  atEnd,
  className,
}: {
  turn: Turn;
  edits: readonly Edit[];
  atEnd: boolean;
  className: string;
}) {
  const whole = atEnd ? turn.files : undefined;
  const files = byPath(edits);
  return (
    <section
      aria-label="Files changed so far"
      data-testid="replay-files"
      className={`thin-scroll flex min-h-0 min-w-0 flex-col gap-3 overflow-y-auto rounded-lg border p-3 ${className}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
    >
      <h3 className="text-sm font-medium">
        {whole ? "Files that the turn changed" : "Files changed so far"}{" "}
        <span className="font-normal text-faint tabular-nums">{whole ? whole.total : files.size}</span>
      </h3>
      {whole ? (
        <DiffView diff={whole.diff} label="Changes of the turn" />
      ) : (
        [...files].map(([path, edits]) => <FileEdits key={path} path={path} edits={edits} />)
      )}
      {whole?.cut && (
        <p className="text-xs text-faint">The diff is longer; the turn itself shows the rest.</p>
      )}
      <p className="text-xs text-faint">
        {whole
          ? "As the drone compared the workspace before and after the turn."
          : `${files.size === 0 ? "No call has changed a file by now. " : ""}As calls of the file tools say, and as the drone compared the workspace before and after commands, where that is quick.`}
      </p>
    </section>
  );
}

interface FileEditsProps {
  path: string;
  edits: readonly Edit[];
}

const FileEdits = memo(function FileEdits({ path, edits }: FileEditsProps) {
  const before = Math.max(0, edits.length - MOST_EDITS);
  return (
    <div data-path={path} className="overflow-hidden rounded-md border bg-raised">
      <div className="truncate border-b bg-side px-2.5 py-1 font-mono text-xs" dir="ltr" title={path}>
        <PlainText text={path || "…"} />
      </div>
      {before > 0 && (
        <p className="border-b px-2.5 py-1 text-2xs text-faint">
          {before} earlier {before === 1 ? "edit" : "edits"}, not shown
        </p>
      )}
      {edits.slice(before).map((edit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: edits only come to the end of the list
        <div key={before + index} className="not-last:border-b">
          {edit.note && (
            <p className="px-2.5 pt-1 text-2xs text-faint [overflow-wrap:anywhere]">
              <PlainText text={edit.note} />
            </p>
          )}
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
            tabIndex={0}
            className="thin-scroll overflow-x-auto py-1 font-mono text-xs leading-[1.55]"
          >
            {edit.lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of an edit have no other name, and do not move
              <div key={at} className={`min-w-max px-2.5 ${ROWS[line.kind] ?? "text-soft"}`}>
                <span aria-hidden className="inline-block w-4 text-faint select-none">
                  {SIGNS[line.kind] ?? " "}
                </span>
                {WORDS[line.kind] && <span className="sr-only">{WORDS[line.kind]}</span>}
                <PlainText text={line.text} />
              </div>
            ))}
          </pre>
          {edit.more > 0 && <p className="px-2.5 pb-1 text-2xs text-faint">{edit.more} more lines</p>}
        </div>
      ))}
    </div>
  );
}, sameEdits);

/** The list is made anew at each step of a replay, what it holds is not. */
function sameEdits(before: FileEditsProps, now: FileEditsProps): boolean {
  return (
    before.path === now.path &&
    before.edits.length === now.edits.length &&
    before.edits.every((edit, index) => edit === now.edits[index])
  );
}
