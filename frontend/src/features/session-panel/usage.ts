// What the turns of a session used, and how full that leaves the context of its model.
import type { TurnFigures, Usage } from "../../protocol/messages.gen";

/** From here on it is worth a word. */
const NEARLY_FULL = 0.8;

/** Tokens in the model's context after its latest round; undefined when nobody counted them. Usages in the order of their turns. */
export function contextTokens(usages: Iterable<Usage>): number | undefined {
  const last = [...usages].findLast((usage) => usage.inputTokens + usage.outputTokens > 0);
  return last?.contextTokens ?? undefined;
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

/** The sum over all turns: those that the page knows, by their ids, and those before them. */
export function usageOfAll(
  known: ReadonlyMap<string, Usage>,
  figures: readonly Pick<TurnFigures, "turnId" | "usage">[],
): Usage {
  const others = figures.filter((turn) => !known.has(turn.turnId)).map((turn) => turn.usage);
  return [...others, ...known.values()].reduce(
    (sum, { inputTokens, outputTokens, thinkingTokens, cost }) => ({
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
      thinkingTokens: sum.thinkingTokens + thinkingTokens,
      cost: cost == null ? sum.cost : (sum.cost ?? 0) + cost,
    }),
    { inputTokens: 0, outputTokens: 0, thinkingTokens: 0, cost: null as number | null },
  );
}
