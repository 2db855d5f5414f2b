import type { BlockUnion } from "../../protocol/messages.gen";
import { RespondingBlock } from "./responding-block";
import { ThinkingBlock } from "./thinking-block";
import { ToolBlock } from "./tool-block";
import { UserMessage } from "./user-message";

export interface PlainBlockProps {
  block: BlockUnion;
  turnId: string;
  ended: boolean;
  /** It may still grow. */
  live: boolean;
}

/** A block of whichever mode by itself, as it stands. */
export function PlainBlock({ block, turnId, ended, live }: PlainBlockProps) {
  switch (block.mode) {
    case "thinking":
      return <ThinkingBlock block={block} turnId={turnId} live={live} />;
    case "responding":
      return <RespondingBlock block={block} live={live} />;
    case "tool":
      return <ToolBlock block={block} turnId={turnId} ended={ended} live={live} />;
    case "prompt":
      return (
        <section data-testid="block-prompt" data-block-index={block.index} aria-label="You said meanwhile">
          <UserMessage text={block.content} />
        </section>
      );
  }
}

/** Of the texts only the last one grows; calls run side by side. */
export function mayGrow(block: BlockUnion, among: readonly BlockUnion[]): boolean {
  return !block.closedAt && (block.mode === "tool" || block === among.at(-1));
}
