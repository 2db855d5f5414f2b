import { memo, useState } from "react";
import type { Tool, ToolCall } from "../../protocol/messages.gen";
import { CopyButton } from "../../ui/copy-button";
import { PlainText } from "../../ui/plain-text";
import { isWhole } from "../changes/diff";
import { DiffView } from "../changes/diff-view";
import { ApprovalRow } from "./approval-row";
import { BlockLabel } from "./block-label";
import { CallLine, ResultLine, STATE_WORDS } from "./call-line";
import { isHtml, resultLine } from "./figures";
import { useKept } from "./kept";
import { QUESTION, QuestionRow } from "./question-row";
import { TodoList } from "./todo-list";

/** Longer texts are shown by their beginning and their end. */
const SHOWN_CHARS = 40_000;

export interface ToolBlockProps {
  block: Tool;
  turnId: string;
  ended: boolean;
  /** Its drone is there, and it is not over: it can be stopped. */
  live: boolean;
}

/** A tool call: one line, that opens to all there is to know. */
export const ToolBlock = memo(function ToolBlock({ block, turnId, ended, live }: ToolBlockProps) {
  const call = block.content;
  const asks = call.state === "awaiting_approval" && !ended;
  const preview = asks && call.approval?.preview;
  // Where the preview says all that is asked for, the parameters would say it once more.
  const saidAbove = !!preview && isWhole(preview) && !call.output;
  const question = call.name === QUESTION;
  const [open, setOpen] = useKept(`${turnId}/${block.index}/${asks ? "asks" : "open"}`, asks);
  const result = open ? "" : resultLine(call);
  const wentWell = call.state === "done";
  if (call.name === "update_todos" && call.state === "done" && typeof call.parameters.items === "string") {
    return <TodoList block={block} items={call.parameters.items} />;
  }
  return (
    <section
      data-testid="block-tool"
      data-block-index={block.index}
      data-tool-name={call.name}
      data-state={call.state}
      aria-label={
        question
          ? `Question, ${STATE_WORDS[call.state]}`
          : `Tool call ${call.name}, ${STATE_WORDS[call.state]}`
      }
      className={`overflow-hidden rounded-lg border ${asks ? (question ? "border-accent" : "border-warn") : open ? "bg-raised" : "border-transparent hover:border-line"} ${block.superseded ? "opacity-50" : ""}`}
    >
      <BlockLabel words={question ? "Question" : "Tool call"} className="px-2 pt-1" />
      <CallLine
        call={call}
        open={open}
        onToggle={() => setOpen(!open)}
        result={wentWell ? result : ""}
        prose={question}
        stops={live && !ended ? turnId : undefined}
      />
      {!wentWell && <ResultLine result={result} />}
      {open && !saidAbove && !(asks && question) && (
        <div className="flex flex-col gap-3 border-t px-3 py-3">
          <Parameters parameters={call.parameters} whole={asks} />
          {call.output && (
            <Text
              title={isHtml(call.output) ? "Output (HTML)" : "Output"}
              text={call.output}
              live={call.state === "running"}
            />
          )}
          {call.response && call.response !== call.output && (
            <Text title="Result, as the model reads it" text={call.response} />
          )}
          <Aftermath call={call} />
        </div>
      )}
      {asks &&
        (question ? (
          <QuestionRow key={call.approval?.shown} turnId={turnId} tool={call} />
        ) : (
          <ApprovalRow key={call.approval?.shown} turnId={turnId} tool={call} />
        ))}
    </section>
  );
});

/** What it changed in files, and that nobody knows, where nobody does. */
export function Aftermath({ call }: { call: ToolCall }) {
  return (
    <>
      {call.diff && (
        <div>
          <div className="mb-1 text-xs text-faint">Files that changed while it ran</div>
          <DiffView diff={call.diff} label="Files that changed while it ran" />
        </div>
      )}
      {call.state === "unknown" && (
        <p className="text-xs text-warn">
          The drone was cut off while this ran. Whether it took effect is not known: look before you repeat
          it.
        </p>
      )}
    </>
  );
}

export function Parameters({
  parameters,
  whole,
}: {
  parameters: Record<string, unknown>;
  /** Nothing is left out: somebody decides by them. */
  whole: boolean;
}) {
  const entries = Object.entries(parameters);
  if (entries.length === 0) return <p className="text-xs text-faint">No parameters.</p>;
  return (
    <div className="grid gap-2">
      {entries.map(([name, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
        return text.includes("\n") || text.length > 90 ? (
          <Text key={name} title={name} text={text} tone={toneOf(name)} whole={whole} />
        ) : (
          <dl key={name} className="flex min-w-0 gap-3 text-xs">
            <dt className="w-32 shrink-0 text-faint [overflow-wrap:anywhere]">{name}</dt>
            <dd className={`min-w-0 font-mono [overflow-wrap:anywhere] ${TONE_CLASSES[toneOf(name)]}`}>
              {text ? <PlainText text={text} /> : "(empty)"}
            </dd>
          </dl>
        );
      })}
    </div>
  );
}

const TONE_CLASSES = {
  plain: "",
  removed: "bg-bad-wash text-bad",
  added: "bg-accent-wash text-accent",
} as const;

function toneOf(name: string): keyof typeof TONE_CLASSES {
  return name === "old_string" ? "removed" : name === "new_string" ? "added" : "plain";
}

export function Text({
  title,
  text,
  tone = "plain",
  live = false,
  whole = false,
}: {
  title: string;
  text: string;
  tone?: keyof typeof TONE_CLASSES;
  /** It still grows. */
  live?: boolean;
  whole?: boolean;
}) {
  // Turned upside down, the box stays at its end until somebody scrolls away from it; who watched it come keeps that place.
  const [atEnd] = useState(live);
  return (
    <div>
      <div className="mb-1 flex items-center justify-between text-xs text-faint">
        <span>{title}</span>
        <CopyButton text={text} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
        tabIndex={0}
        className={`thin-scroll max-h-80 overflow-auto rounded-md px-2.5 py-2 font-mono text-xs leading-[1.55] whitespace-pre-wrap [overflow-wrap:anywhere] ${atEnd ? "flex flex-col-reverse" : ""} ${TONE_CLASSES[tone] || "bg-side"}`}
      >
        <span>
          <PlainText text={whole ? text : shortened(text)} />
        </span>
      </pre>
    </div>
  );
}

function shortened(text: string): string {
  if (text.length <= SHOWN_CHARS) return text;
  const half = SHOWN_CHARS / 2;
  return `${text.slice(0, half)}\n\n… ${text.length - SHOWN_CHARS} characters left out; “Copy” has them all …\n\n${text.slice(-half)}`;
}
