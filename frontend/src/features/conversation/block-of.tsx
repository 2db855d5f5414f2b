import type { Blocks, Stories } from "../../turn/stories";
import { PlainBlock, type PlainBlockProps } from "./plain-block";
import { isSubagent } from "./subagent";
import { SubagentBlock } from "./subagent-block";

const NOTHING_YET: Blocks = [];

/** A block of a turn with all that came of it. */
export function BlockOf({ stories, ...props }: PlainBlockProps & { stories: Stories["ofCall"] }) {
  const { block } = props;
  const story = block.mode === "tool" ? stories.get(block.content.callId) : undefined;
  return block.mode === "tool" && (story || isSubagent(block.content)) ? (
    <SubagentBlock {...props} block={block} story={story ?? NOTHING_YET} />
  ) : (
    <PlainBlock {...props} />
  );
}
