// What the turns of a session used, and how full that leaves the context of its model.
import type {
  BlockUnion,
  SessionDetail,
  ToolCall,
  Turn,
  TurnFigures,
  Usage,
} from "../../protocol/messages.gen";

/** From here on it is worth a word. */
const NEARLY_FULL = 0.8;

/** The name of the block in which a drone summarises the conversation. */
const SUMMARY = "compact_context";

/** Tokens in the model's context after its latest round; undefined when nobody counted them. Turns in their order. */
export function contextTokens(turns: readonly Pick<Turn, "usage" | "blocks">[]): number | undefined {
  // What was counted before a summary is no more, also when its turn was cut off before anything was counted in it.
  const last = turns.findLast(
    (turn) =>
      (turn.usage.inputTokens + turn.usage.outputTokens > 0 && !onlyTriedToSummarise(turn)) ||
      turn.blocks.some((block) => summaryOf(block)?.state === "done"),
  );
  return last?.usage.contextTokens ?? undefined;
}

/** Why the conversation could not be summarised, where nothing was said in it since. Turns in their order. */
export function summaryFailure(turns: readonly Pick<Turn, "blocks">[]): string | undefined {
  const last = turns.at(-1)?.blocks.findLast((block) => !block.superseded);
  const summary = last && summaryOf(last);
  return summary?.state === "failed" ? (summary.response ?? undefined) : undefined;
}

/** Whether nothing but a summary was asked for, which did not come: what was counted is no part of the conversation. */
function onlyTriedToSummarise({ blocks }: Pick<Turn, "blocks">): boolean {
  const kept = blocks.filter((block) => !block.superseded);
  return kept.length > 0 && kept.every((block) => summaryOf(block) && summaryOf(block)?.state !== "done");
}

function summaryOf(block: BlockUnion): ToolCall | undefined {
  // A subagent's says nothing of the conversation of the session.
  return block.mode === "tool" && !block.parent && !block.superseded && block.content.name === SUMMARY
    ? block.content
    : undefined;
}

export interface ContextUse {
  percent: number;
  nearlyFull: boolean;
}

/** What share that is of all that the model can hold. */
export function contextUse(tokens: number, room: number): ContextUse {
  const share = tokens / room;
  return { percent: Math.min(100, Math.round(share * 100)), nearlyFull: share > NEARLY_FULL };
}

/** Whether a turn was copied into the session from the one that it branched from; a copy keeps its place in time. */
export function isCopied(
  turn: Pick<Turn | TurnFigures, "createdAt">,
  session: Pick<SessionDetail, "createdAt">,
): boolean {
  return Date.parse(turn.createdAt) < Date.parse(session.createdAt);
}

/** The sum over all turns: those that the page knows, by their ids, and those before them; and of what no turn counts. */
export function usageOfAll(
  known: ReadonlyMap<string, Usage>,
  figures: readonly Pick<TurnFigures, "turnId" | "usage">[],
  apart?: Usage | null,
): Usage {
  const others = figures.filter((turn) => !known.has(turn.turnId)).map((turn) => turn.usage);
  return [...others, ...known.values(), ...(apart ? [apart] : [])].reduce(
    (sum, { inputTokens, outputTokens, thinkingTokens, cost }) => ({
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
      thinkingTokens: sum.thinkingTokens + thinkingTokens,
      cost: cost == null ? sum.cost : (sum.cost ?? 0) + cost,
    }),
    { inputTokens: 0, outputTokens: 0, thinkingTokens: 0, cost: null as number | null },
  );
}
