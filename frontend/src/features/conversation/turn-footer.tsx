import { useQuery } from "@tanstack/react-query";
import { ChartColumn, Ellipsis, Play, RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useDroneOf } from "../../api/drones";
import { sessionQuery } from "../../api/queries";
import { useLookBack } from "../../app/look-back";
import type { Turn, TurnStatus } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { ownBlocks } from "../../turn/stories";
import { CopyButton } from "../../ui/copy-button";
import { MenuButton } from "../../ui/menu";
import { clock, count, duration, money } from "./figures";
import { useResend } from "./resend";
import {
  liveRate,
  type ModeTimes,
  modeTimes,
  type Rate,
  rateOf,
  type Sample,
  textChars,
  tokensOf,
  turnTimes,
} from "./turn-figures";
import { useNow } from "./use-now";

const WORDS: Record<TurnStatus, string> = {
  queued: "Queued",
  processing: "Working",
  awaiting_approval: "Waiting for you",
  finished: "Finished",
  failed: "Failed",
  cancelled: "Stopped",
  interrupted: "Interrupted",
  budget_reached: "Limit reached",
};
const MODES: Record<keyof ModeTimes, string> = {
  thinking: "thinking",
  responding: "responding",
  tool: "tools",
};
const SAMPLES = 4;

/** What a turn took, time and tokens, and what can be done with it when it has ended. */
export function TurnFooter({ turn }: { turn: Turn }) {
  const ended = isEnded(turn.status);
  const now = useNow(!ended);
  const live = useLiveRate(turn, !ended);
  const end = turn.finishedAt ? Date.parse(turn.finishedAt) : now;
  const { worked, waited } = turnTimes(turn, now);
  const { cost } = turn.usage;
  const rate = ended ? rateOf(turn) : live;
  const time = (millis: number) => (ended ? duration(millis) : clock(Math.floor(millis / 1_000)));
  const times = Object.entries(modeTimes(turn.blocks, end)).filter(([, millis]) => millis >= 50);
  return (
    <footer
      data-testid="turn-status"
      data-status={turn.status}
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-2xs text-faint tabular-nums"
    >
      <span role="status">
        {turn.status === "processing" ? <Working sessionId={turn.sessionId} /> : WORDS[turn.status]}
      </span>
      {(worked > 0 || waited === 0) && <span data-testid="turn-time">{time(worked)}</span>}
      {waited > 0 && (
        <span data-testid="turn-waited" title="For its turn, a drone or the model, before the work began">
          waited {time(waited)}
        </span>
      )}
      {times.length > 0 && (
        <span data-testid="mode-times">
          {times.map(([mode, millis]) => `${MODES[mode as keyof ModeTimes]} ${duration(millis)}`).join(" · ")}
        </span>
      )}
      <TokenCounts turn={turn} />
      {rate !== undefined && (
        <span
          data-testid="turn-rate"
          title={
            !ended
              ? "About; the provider counts in the end"
              : rate.rough
                ? "About, by the length of the text; what it wrote into calls is not part of it"
                : "While the model spoke"
          }
        >
          {rate.rough && "≈ "}
          {rate.tokensPerSecond < 10 ? rate.tokensPerSecond.toFixed(1) : Math.round(rate.tokensPerSecond)}{" "}
          tok/s
        </span>
      )}
      {cost != null && <span>{money(cost)}</span>}
      {turn.stats.toolCallCount > 0 && (
        <span>
          {turn.stats.toolCallCount} {turn.stats.toolCallCount === 1 ? "call" : "calls"}
          {turn.stats.toolFailures > 0 && `, ${turn.stats.toolFailures} failed`}
        </span>
      )}
      <span className="font-mono [overflow-wrap:anywhere]">{turn.model}</span>
      {ended && <TurnActions turn={turn} />}
    </footer>
  );
}

function TokenCounts({ turn }: { turn: Turn }) {
  const { output, outputRough, thinking, thinkingRough } = tokensOf(turn);
  const { inputTokens, cachedTokens } = turn.usage;
  if (inputTokens + output === 0) return null;
  const about = (rough: boolean) => (rough ? "≈ " : "");
  return (
    <span
      data-testid="turn-tokens"
      title={`${inputTokens ? `${inputTokens} tokens in${cachedTokens ? ` (${cachedTokens} of them read before)` : ""}, ` : ""}${about(outputRough)}${output} out, ${about(thinkingRough)}${thinking} of them thinking`}
    >
      {inputTokens > 0 && `${count(inputTokens)} in · `}
      {about(outputRough)}
      {count(output)} out
      {thinking > 0 && ` (${about(thinkingRough)}${count(thinking)} thinking)`}
    </span>
  );
}

/** A drone that is gone may be back in a moment, before its turn counts as interrupted. */
function Working({ sessionId }: { sessionId: string }) {
  const session = useQuery({ ...sessionQuery(sessionId), enabled: false });
  const drone = useDroneOf(session.data?.workspaceId);
  return drone?.status === "offline" ? "Waiting for the drone" : WORDS.processing;
}

function TurnActions({ turn }: { turn: Turn }) {
  const { send, canSend } = useResend();
  const show = useLookBack((lookBack) => lookBack.show);
  const answer = ownBlocks(turn.blocks)
    .flatMap((block) => (block.mode === "responding" && !block.superseded ? [block.content] : []))
    .join("\n\n");
  return (
    <span className="ml-auto flex gap-1">
      {answer && <CopyButton text={answer} label="Copy answer" />}
      <button
        type="button"
        disabled={!canSend}
        title="Send the same prompt again, as a new turn"
        onClick={() => send(turn.prompt)}
        className="inline-flex items-center gap-1 rounded px-1.5 py-0.5 text-2xs text-faint hover:bg-sunken hover:text-ink disabled:opacity-50"
      >
        <RotateCcw size={12} aria-hidden />
        Retry
      </button>
      <MenuButton
        label="More of this turn"
        items={[
          { words: "Replay", Icon: Play, run: () => show({ what: "replay", turnId: turn.id }) },
          {
            words: "Figures of this turn",
            Icon: ChartColumn,
            run: () => show({ what: "turn-figures", turnId: turn.id }),
          },
          {
            words: "Figures of the session",
            Icon: ChartColumn,
            run: () => show({ what: "session-figures", sessionId: turn.sessionId }),
          },
        ]}
        className="inline-flex items-center rounded px-1.5 py-0.5 text-faint hover:bg-sunken hover:text-ink"
      >
        <Ellipsis size={13} aria-hidden />
      </MenuButton>
    </span>
  );
}

/** Looks once a second how much has come. */
function useLiveRate(turn: Turn, live: boolean): Rate | undefined {
  const chars = useRef(0);
  chars.current = textChars(ownBlocks(turn.blocks));
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    if (!live) return;
    const look = () =>
      setSamples((before) => [...before.slice(1 - SAMPLES), { at: Date.now(), chars: chars.current }]);
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [live]);
  const tokensPerSecond = live ? liveRate(samples) : undefined;
  return tokensPerSecond === undefined ? undefined : { tokensPerSecond, rough: true };
}
