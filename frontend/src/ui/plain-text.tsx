import { memo } from "react";
import { partsOf } from "./unseen";

/** A command, a path or a line of code as it is: what would not be seen, or would turn the rest around, is written out. */
export const PlainText = memo(function PlainText({ text }: { text: string }) {
  const parts = partsOf(text);
  if (parts.every((part) => !part.code)) return text;
  return parts.map((part, at) =>
    part.code ? (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
        key={at}
        data-testid="unseen"
        title="A character that is not seen"
        className="mx-px rounded-sm bg-bad-wash px-0.5 font-mono text-[0.85em] whitespace-nowrap text-bad ring-1 ring-bad"
      >
        {part.code}
      </span>
    ) : (
      part.text
    ),
  );
});
