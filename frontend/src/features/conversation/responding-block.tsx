import { memo } from "react";
import type { Responding } from "../../protocol/messages.gen";
import { BlockLabel } from "./block-label";
import { MarkdownView } from "./markdown-view";

export const RespondingBlock = memo(function RespondingBlock({
  block,
  live,
}: {
  block: Responding;
  live: boolean;
}) {
  return (
    <section
      data-testid="block-responding"
      data-block-index={block.index}
      aria-label="Response"
      className={block.superseded ? "opacity-50" : ""}
    >
      <BlockLabel words="Response" className="mb-1" />
      {block.superseded && (
        <p className="mb-1 text-xs text-faint">This was cut off and is said again below.</p>
      )}
      <MarkdownView text={block.content} growing={live} />
    </section>
  );
});
