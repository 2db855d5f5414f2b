import { memo, useMemo, useState } from "react";
import type { Tool, ToolCall } from "../../protocol/messages.gen";
import { type Blocks, sameBlocks } from "../../turn/stories";
import { CopyButton } from "../../ui/copy-button";
import { PlainText } from "../../ui/plain-text";
import { ApprovalRow } from "./approval-row";
import { BlockLabel } from "./block-label";
import { CallLine, ResultLine, STATE_WORDS } from "./call-line";
import { clock, resultLine } from "./figures";
import { useKept } from "./kept";
import { MarkdownView } from "./markdown-view";
import { NearRows } from "./near-rows";
import { mayGrow, PlainBlock } from "./plain-block";
import { ScrollFollower } from "./scroll-follower";
import { beforeAnswer, callsIn, stepOf, taskOf, withoutMarks } from "./subagent";
import { Aftermath, Parameters, Text } from "./tool-block";
import { useNow } from "./use-now";

const LONGEST_NAME = 120;

interface SubagentBlockProps {
  block: Tool;
  /** What the subagent did, thought and said. */
  story: Blocks;
  turnId: string;
  ended: boolean;
  live: boolean;
}

/** A call for which a subagent works: what it does now in a line, that opens to its task, its story and its answer. */
export const SubagentBlock = memo(
  function SubagentBlock({ block, story, turnId, ended, live }: SubagentBlockProps) {
    const call = block.content;
    const asks = call.state === "awaiting_approval" && !ended;
    const works = live && call.state === "running";
    const runs = useRunning(call, works && !ended);
    const [open, setOpen] = useKept(`${turnId}/${block.index}/${asks ? "asks" : "open"}`, asks);
    return (
      <section
        data-testid="block-tool"
        data-block-index={block.index}
        data-tool-name={call.name}
        data-state={call.state}
        aria-label={`Subagent: ${taskOf(call).slice(0, LONGEST_NAME)}, ${STATE_WORDS[call.state]}`}
        className={`overflow-hidden rounded-lg border ${asks ? "border-warn" : open ? "bg-raised" : "border-transparent hover:border-line"} ${block.superseded ? "opacity-50" : ""}`}
      >
        <BlockLabel words="Subagent" className="px-2 pt-1" />
        <CallLine
          call={call}
          open={open}
          onToggle={() => setOpen(!open)}
          prose
          calls={callsIn(story)}
          runs={runs}
          stops={works && !ended ? turnId : undefined}
        />
        {!open &&
          (works ? (
            <StepLine story={story} />
          ) : (
            <ResultLine result={withoutMarks(resultLine(call))} brief={call.state === "done"} />
          ))}
        {open && <Opened call={call} story={story} turnId={turnId} ended={ended} works={works} asks={asks} />}
        {asks && <ApprovalRow key={call.approval?.shown} turnId={turnId} tool={call} />}
      </section>
    );
  },
  (before, now) =>
    before.block === now.block &&
    before.turnId === now.turnId &&
    before.ended === now.ended &&
    before.live === now.live &&
    sameBlocks(before.story, now.story),
);

function useRunning(call: ToolCall, runs: boolean): string | undefined {
  const now = useNow(runs);
  return runs && call.startedAt
    ? clock(Math.max(0, Math.floor((now - Date.parse(call.startedAt)) / 1_000)))
    : undefined;
}

/** What it does now, where its answer will stand: nothing moves when it comes. */
function StepLine({ story }: { story: Blocks }) {
  const { tool, words } = stepOf(story);
  return (
    <p data-testid="subagent-step" dir="auto" className="truncate px-2 pb-1.5 pl-6 text-xs text-soft">
      {tool && <span className="font-mono">{tool} </span>}
      <span className={tool ? "font-mono text-faint" : ""}>
        <PlainText text={words} />
      </span>
    </p>
  );
}

interface OpenedProps {
  call: ToolCall;
  story: Blocks;
  turnId: string;
  ended: boolean;
  works: boolean;
  asks: boolean;
}

function Opened({ call, story, turnId, ended, works, asks }: OpenedProps) {
  const answer = works ? "" : (call.response ?? "");
  // Who watched the answer come keeps it in its place, where it came.
  const [watched] = useState(works);
  const before = useMemo(() => (answer ? beforeAnswer(story, answer) : undefined), [story, answer]);
  const shown = watched ? story : (before ?? story);
  return (
    <div className="flex flex-col gap-3 border-t px-3 py-3">
      <Parameters parameters={call.parameters} whole={asks} />
      {shown.length > 0 && <Story story={shown} turnId={turnId} ended={ended} live={works} />}
      {answer &&
        !(watched && before) &&
        (call.state === "done" ? (
          <Answer text={answer} />
        ) : (
          <Text title="Result, as the model reads it" text={answer} />
        ))}
      <Aftermath call={call} />
    </div>
  );
}

interface StoryProps {
  story: Blocks;
  turnId: string;
  ended: boolean;
  live: boolean;
}

/** In a box of its own: several that grow leave each other in their places, and of a long one only what is near the view is on the page. */
function Story({ story, turnId, ended, live }: StoryProps) {
  const rows = useMemo(() => story.map((block) => ({ key: `story-${block.index}`, block })), [story]);
  return (
    <section aria-label="What the subagent did" data-testid="subagent-story" className="border-l-2 pl-3">
      <ScrollFollower reachable nested follows={live}>
        {(follower) => (
          <NearRows rows={rows} follower={follower} dense>
            {({ block }) => (
              <PlainBlock block={block} turnId={turnId} ended={ended} live={live && mayGrow(block, story)} />
            )}
          </NearRows>
        )}
      </ScrollFollower>
    </section>
  );
}

function Answer({ text }: { text: string }) {
  return (
    <section aria-label="Answer of the subagent" data-testid="subagent-answer">
      <div className="mb-1 flex items-center justify-between text-xs text-faint">
        <span>Answer</span>
        <CopyButton text={text} />
      </div>
      <MarkdownView text={text} growing={false} />
    </section>
  );
}
