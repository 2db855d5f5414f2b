import { useEffect, useState } from "react";
import type { Turn, TurnStatus } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { count, duration } from "./figures";

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

/** What a turn took: time and tokens. */
export function TurnFooter({ turn }: { turn: Turn }) {
  const ended = isEnded(turn.status);
  const now = useNow(!ended);
  const end = turn.finishedAt ? Date.parse(turn.finishedAt) : now;
  const took = Math.max(0, end - Date.parse(turn.createdAt));
  const { inputTokens, outputTokens, thinkingTokens, cost } = turn.usage;
  return (
    <footer
      data-testid="turn-status"
      data-status={turn.status}
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-2xs text-faint tabular-nums"
    >
      <span role="status">{WORDS[turn.status]}</span>
      <span>{ended ? duration(took) : `${Math.floor(took / 1000)} s`}</span>
      {inputTokens + outputTokens > 0 && (
        <span title={`${inputTokens} tokens in, ${outputTokens} out, ${thinkingTokens} of them thinking`}>
          {count(inputTokens)} in · {count(outputTokens)} out
          {thinkingTokens > 0 && ` (${count(thinkingTokens)} thinking)`}
        </span>
      )}
      {cost != null && <span>{cost.toFixed(4)} $</span>}
      {turn.stats.toolCallCount > 0 && (
        <span>
          {turn.stats.toolCallCount} {turn.stats.toolCallCount === 1 ? "call" : "calls"}
          {turn.stats.toolFailures > 0 && `, ${turn.stats.toolFailures} failed`}
        </span>
      )}
      <span className="font-mono">{turn.model}</span>
    </footer>
  );
}

function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
