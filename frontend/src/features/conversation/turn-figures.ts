// What a turn took, reckoned from its blocks.
import type { BlockMode, BlockUnion, Turn } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { ownBlocks, storiesOf } from "../../turn/stories";

/** A rough measure until the provider has counted. */
const CHARS_PER_TOKEN = 4;
/** Shorter times give rates that mean nothing. */
const SHORTEST_MILLIS = 500;
/** Shorter waits are part of the work. */
const NOTICED_MILLIS = 5_000;

export type ModeTimes = Record<Exclude<BlockMode, "prompt">, number>;

/** How long the turn thought, responded and used tools, in milliseconds; what is open counts until now. Subagents are a tool. */
export function modeTimes(blocks: readonly BlockUnion[], now: number): ModeTimes {
  const times: ModeTimes = { thinking: 0, responding: 0, tool: 0 };
  const calls: Span[] = [];
  for (const block of ownBlocks(blocks)) {
    if (isSaid(block)) times[block.mode] += took(spanOf(block, now));
    // A call that never began, as one that was denied, only had somebody wait.
    else if (block.mode === "tool" && block.content.startedAt) calls.push(spanOf(block, now));
  }
  times.tool = covered(calls);
  return times;
}

/** Whether it is text of the model. */
function isSaid(block: BlockUnion): block is Exclude<BlockUnion, { mode: "tool" | "prompt" }> {
  return block.mode === "thinking" || block.mode === "responding";
}

interface Span {
  from: number;
  until: number;
}

function spanOf(block: BlockUnion, now: number): Span {
  const [from, until] =
    block.mode === "tool"
      ? [block.content.startedAt ?? block.createdAt, block.content.finishedAt ?? block.closedAt]
      : [block.createdAt, block.closedAt];
  return { from: Date.parse(from), until: until ? Date.parse(until) : now };
}

function took({ from, until }: Span): number {
  return Math.max(0, until - from);
}

/** How long at least one of them went on. */
function covered(spans: Span[]): number {
  let millis = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, until } of spans.sort((one, other) => one.from - other.from)) {
    millis += took({ from: Math.max(from, end), until });
    end = Math.max(end, until);
  }
  return millis;
}

/** How long the turn worked by now, and how long it waited for that to begin, where that is worth a word. */
export function turnTimes(turn: Turn, now: number): { worked: number; waited: number } {
  const created = Date.parse(turn.createdAt);
  const end = turn.finishedAt ? Date.parse(turn.finishedAt) : now;
  const first = turn.blocks[0];
  const began = first ? Date.parse(first.createdAt) : turn.finishedAt ? created : end;
  const waited = began - created;
  return waited < NOTICED_MILLIS
    ? { worked: Math.max(0, end - created), waited: 0 }
    : { worked: Math.max(0, end - began), waited };
}

export interface Rate {
  tokensPerSecond: number;
  /** Reckoned from the text alone. */
  rough: boolean;
}

/**
 * Tokens a second while the model spoke; undefined when that cannot be said. What it wrote into calls is counted by the provider, but
 * nobody saw it come: with calls the rate is that of the text. Neither does thinking count that was not shown.
 */
export function rateOf(turn: Turn): Rate | undefined {
  const own = ownBlocks(turn.blocks);
  const spoken = own.filter((block) => isSaid(block) && !block.superseded);
  const { thinking, responding } = modeTimes(spoken, 0);
  const millis = thinking + responding;
  const rough = own.some((block) => block.mode === "tool");
  const { outputTokens, thinkingTokens } = turn.usage;
  const said = thinking > 0 ? outputTokens : outputTokens - thinkingTokens;
  const tokens = rough ? textChars(spoken) / CHARS_PER_TOKEN : said;
  return millis >= SHORTEST_MILLIS && tokens > 0
    ? { tokensPerSecond: (tokens * 1_000) / millis, rough }
    : undefined;
}

export function textChars(blocks: readonly BlockUnion[]): number {
  return blocks.reduce((sum, block) => (isSaid(block) ? sum + block.content.length : sum), 0);
}

export interface Tokens {
  output: number;
  outputRough: boolean;
  thinking: number;
  thinkingRough: boolean;
}

/** So many of them that a figure which nobody can vouch for stands still long enough to be read. */
const ROUGH_STEP = 10;

/** The tokens of a turn as far as they are known: the provider counts after each round, and some never do. */
export function tokensOf(turn: Turn): Tokens {
  const { usage, stats } = turn;
  const { outputTokens, thinkingTokens } = usage;
  const since = Math.floor(textChars(uncounted(turn)) / CHARS_PER_TOKEN / ROUGH_STEP) * ROUGH_STEP;
  return {
    output: outputTokens + since,
    outputRough: since > 0,
    thinking: thinkingTokens || stats.thinkingTokenCount,
    thinkingRough: thinkingTokens === 0 && stats.thinkingTokenCount > 0,
  };
}

/** What the turn and the subagents that are at work for it said since their rounds were counted. */
function uncounted({ status, usage, blocks }: Turn): readonly BlockUnion[] {
  if (usage.outputTokens === 0) return blocks;
  if (isEnded(status)) return [];
  const { own, ofCall } = storiesOf(blocks);
  const atWork = own.map((block) =>
    block.mode === "tool" && !block.closedAt ? (ofCall.get(block.content.callId) ?? []) : [],
  );
  return [own, ...atWork].flatMap(sinceLastCall);
}

/** A round ends with its calls, or with what the person said meanwhile. */
function sinceLastCall(blocks: readonly BlockUnion[]): readonly BlockUnion[] {
  return blocks.slice(blocks.findLastIndex(({ mode }) => mode === "tool" || mode === "prompt") + 1);
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
