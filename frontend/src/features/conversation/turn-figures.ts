// What a turn took, reckoned from its blocks.
import type { BlockMode, BlockUnion, Turn } from "../../protocol/messages.gen";

/** A rough measure until the provider has counted. */
const CHARS_PER_TOKEN = 4;
/** Shorter times give rates that mean nothing. */
const SHORTEST_MILLIS = 500;

export type ModeTimes = Record<BlockMode, number>;

/** How long the turn thought, responded and used tools, in milliseconds; an open block counts until now. */
export function modeTimes(blocks: readonly BlockUnion[], now: number): ModeTimes {
  const times: ModeTimes = { thinking: 0, responding: 0, tool: 0 };
  for (const block of blocks) {
    const from = Date.parse((block.mode === "tool" && block.content.startedAt) || block.createdAt);
    const until = block.mode === "tool" ? (block.content.finishedAt ?? block.closedAt) : block.closedAt;
    const waits = block.mode === "tool" && !block.content.startedAt && !until;
    const took = (until ? Date.parse(until) : now) - from;
    if (!waits && took > 0) times[block.mode] += took;
  }
  return times;
}

/** Tokens a second while the model spoke; undefined when that cannot be said. */
export function rateOf(turn: Turn): number | undefined {
  const { thinking, responding } = modeTimes(turn.blocks, 0);
  const millis = thinking + responding;
  const tokens = turn.usage.outputTokens;
  return millis >= SHORTEST_MILLIS && tokens > 0 ? (tokens * 1_000) / millis : undefined;
}

export function textChars(blocks: readonly BlockUnion[]): number {
  return blocks.reduce((sum, block) => (block.mode === "tool" ? sum : sum + block.content.length), 0);
}

export interface Sample {
  at: number;
  chars: number;
}

/** About how many tokens a second came between the samples. */
export function liveRate(samples: readonly Sample[]): number | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < SHORTEST_MILLIS || last.chars <= first.chars) return undefined;
  return ((last.chars - first.chars) / CHARS_PER_TOKEN / (last.at - first.at)) * 1_000;
}
