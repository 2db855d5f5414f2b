import { memo, useMemo } from "react";
import { PlainText } from "../../ui/plain-text";
import { type DiffFile, readDiff } from "./diff";
import { DiffLines } from "./diff-lines";

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
      <div className="truncate border-b bg-side px-2.5 py-1 font-mono text-xs" dir="ltr">
        <PlainText text={file.path || "…"} />
      </div>
      <DiffLines lines={file.lines} bounded />
    </div>
  );
}
