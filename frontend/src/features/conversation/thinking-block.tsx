import { ChevronRight } from "lucide-react";
import { memo } from "react";
import type { Thinking } from "../../protocol/messages.gen";
import { between } from "./figures";
import { MarkdownView } from "./markdown-view";
import { useThoughtOpen } from "./preferences";

/** What the model reasons: open while it is said, when the person likes that, and afterwards when it was opened. */
export const ThinkingBlock = memo(function ThinkingBlock({
  block,
  turnId,
  live,
}: {
  block: Thinking;
  turnId: string;
  live: boolean;
}) {
  const [open, setOpen] = useThoughtOpen(`${turnId}/${block.index}`, live);
  const took = between(block.createdAt, block.closedAt);
  return (
    <section data-testid="block-thinking" data-block-index={block.index} aria-label="Thinking">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ml-1 flex items-center gap-1 rounded px-1 py-0.5 text-xs text-faint hover:text-ink"
      >
        <ChevronRight size={13} aria-hidden className={`transition-transform ${open ? "rotate-90" : ""}`} />
        <span className={live ? "animate-pulse-dot" : ""}>{live ? "Thinking …" : "Thought"}</span>
        {took && <span>for {took}</span>}
        {block.superseded && <span>(said again below)</span>}
      </button>
      <div
        hidden={!open}
        dir="auto"
        className="muted mt-1 ml-[5px] rounded-r-md border-l-2 bg-side px-3.5 py-2.5 font-mono text-xs leading-[1.6] text-faint"
      >
        {open && <MarkdownView text={block.content} growing={live} />}
      </div>
    </section>
  );
});
