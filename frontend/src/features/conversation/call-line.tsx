import { Check, ChevronRight } from "lucide-react";
import { useMemo, useRef } from "react";
import type { ToolCall, ToolCallState } from "../../protocol/messages.gen";
import { PlainText } from "../../ui/plain-text";
import { StatusDot, type Tone } from "../../ui/status-dot";
import { type DiffLineKind, readDiff } from "../changes/diff";
import { argumentPreview, between } from "./figures";
import { StopCall } from "./stop-call";

const TONES: Record<ToolCallState, Tone> = {
  queued: "idle",
  awaiting_approval: "waiting",
  running: "busy",
  done: "good",
  failed: "bad",
  denied: "warn",
  unknown: "warn",
};

export const STATE_WORDS: Record<ToolCallState, string> = {
  queued: "queued",
  awaiting_approval: "asks",
  running: "running",
  done: "done",
  failed: "failed",
  denied: "denied",
  unknown: "outcome unknown",
};

interface CallLineProps {
  call: ToolCall;
  open: boolean;
  onToggle(): void;
  /** What came of it, where that stands in the line. */
  result?: string;
  /** How many calls were made for it. */
  calls?: number;
  /** How long it runs. */
  runs?: string;
  /** What it is about are words, not code. */
  prose?: boolean;
  /** The turn whose call it is, while a person can stop it. */
  stops?: string;
}

/** A call in one line, that opens it. */
export function CallLine({ call, open, onToggle, result, calls = 0, runs, prose, stops }: CallLineProps) {
  const wentWell = call.state === "done";
  const line = useRef<HTMLButtonElement>(null);
  // The same elements before, while and after it runs: else who is on the line would lose the place.
  return (
    <div data-call-line className="flex flex-wrap items-center gap-x-1">
      <button
        ref={line}
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 px-2 text-left text-sm hover:bg-side focus-visible:-outline-offset-2"
      >
        <StatusDot tone={TONES[call.state]} />
        <span className="shrink-0 font-mono text-xs font-medium">{call.name}</span>
        <span
          className={`min-w-0 truncate text-xs text-faint ${prose ? "" : "font-mono"} ${result ? "sm:max-w-3/5 max-sm:flex-1" : "flex-1"}`}
        >
          <PlainText text={argumentPreview(call.parameters)} />
        </span>
        {result && (
          <span
            data-testid="call-result"
            className="min-w-0 flex-1 truncate text-xs text-faint max-sm:hidden"
          >
            <PlainText text={result} />
          </span>
        )}
        {call.diff && <Changed diff={call.diff} />}
        <span className="flex shrink-0 items-center gap-1 text-2xs text-faint tabular-nums">
          {calls > 0 && (
            <span data-testid="call-calls">
              {calls} {calls === 1 ? "call" : "calls"} ·
            </span>
          )}
          {!wentWell && <span className={runs ? "max-sm:hidden" : ""}>{STATE_WORDS[call.state]}</span>}
          <span>{runs ?? between(call.startedAt, call.finishedAt)}</span>
          {wentWell && <Check size={12} role="img" aria-label={STATE_WORDS.done} />}
        </span>
        <ChevronRight
          size={13}
          aria-hidden
          className={`shrink-0 text-faint transition-transform ${open ? "rotate-90" : ""}`}
        />
      </button>
      {/* A button of its own, beside the line and not in it. */}
      {stops && call.state === "running" && <StopCall turnId={stops} tool={call} line={line} />}
    </div>
  );
}

/** What came of a closed call, below its line. */
export function ResultLine({ result, brief = false }: { result: string; brief?: boolean }) {
  return (
    result && (
      <p
        data-testid="call-result"
        dir="auto"
        className={`${brief ? "line-clamp-1" : "line-clamp-2"} px-2 pb-1.5 pl-6 text-xs text-soft [overflow-wrap:anywhere]`}
      >
        <PlainText text={result} />
      </p>
    )
  );
}

/** How much a call changed in files, where its parameters do not say it. */
function Changed({ diff }: { diff: string }) {
  const files = useMemo(() => readDiff(diff), [diff]);
  const lines = files.flatMap((file) => file.lines);
  const more = diff.trimEnd().endsWith("…") ? "≥" : "";
  const count = (kind: DiffLineKind) => lines.filter((line) => line.kind === kind).length;
  return (
    <span className="flex shrink-0 gap-1.5 text-2xs tabular-nums" data-testid="call-changed">
      <span className="text-faint">
        {more}
        {files.length} {files.length === 1 && !more ? "file" : "files"}
      </span>
      <span className="text-good max-sm:hidden">
        {more}+{count("added")}
      </span>
      <span className="text-bad max-sm:hidden">
        {more}−{count("removed")}
      </span>
    </span>
  );
}
