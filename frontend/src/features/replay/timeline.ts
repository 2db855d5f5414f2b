// A turn that ended, as it stood at any moment. The store keeps when a block began and closed and when a call was asked
// about, started and ended; how the text came in between it does not keep, so text is spread evenly over its block's time.
import type { BlockUnion, Tool, ToolCallState, Turn } from "../../protocol/messages.gen";
import { parentOf } from "../../turn/stories";

/** A pause in which nothing is said is at most this long when pauses are shortened. */
const SHORT_PAUSE = 2_000;

/** Something that happened at once: a block began, a call changed its state. */
export interface Moment {
  /** Milliseconds of the clock. */
  time: number;
  words: string;
}

export interface Timeline {
  turn: Turn;
  moments: readonly Moment[];
  /** Pieces of the clock's time, and where they lie in the time that is played. */
  stretches: readonly Stretch[];
  /** How long it plays, in milliseconds. */
  length: number;
  /** Where the moments lie in what is played. */
  places: readonly number[];
  spans: readonly Span[];
}

/** A block in the clock's time. A replay asks for all of them many times a second. */
interface Span {
  block: BlockUnion;
  from: number;
  /** From then on it stands as it ended. */
  until: number;
  /** When a text was cut is not kept: it counts as cut from the first block that came after it and was not. */
  again: number;
}

interface Stretch {
  time: number;
  millis: number;
  at: number;
  length: number;
}

/** Where a tool call stands, from a moment on. */
interface CallStep {
  time: number;
  state: ToolCallState;
}

const CALL_WORDS: Record<ToolCallState, string> = {
  queued: "is called",
  awaiting_approval: "waits for a person",
  running: "runs",
  done: "is done",
  failed: "failed",
  denied: "was denied",
  unknown: "was cut off",
};

const ENDINGS: Partial<Record<Turn["status"], string>> = {
  finished: "The turn is finished",
  failed: "The turn failed",
  cancelled: "The turn was stopped",
  interrupted: "The turn was interrupted",
  budget_reached: "A limit was reached",
};

export function timelineOf(turn: Turn, shortPauses = false): Timeline {
  const begin = Date.parse(turn.createdAt);
  const end = Math.max(endOf(turn), ...turn.blocks.map((block) => closeOf(turn, block)));
  const moments = [
    { time: begin, words: "The prompt is sent" },
    ...turn.blocks.flatMap((block) => momentsOf(turn, block)),
    { time: end, words: ENDINGS[turn.status] ?? "The turn goes on" },
  ]
    .map((moment) => ({ ...moment, time: Math.min(end, Math.max(begin, moment.time)) }))
    .sort((one, other) => one.time - other.time);
  const stretches = stretchesOf(turn, moments, shortPauses);
  const last = stretches.at(-1);
  const places = moments.map((moment) => placeIn(stretches, moment.time));
  return { turn, moments, stretches, length: last ? last.at + last.length : 0, places, spans: spansOf(turn) };
}

function spansOf(turn: Turn): Span[] {
  // What a subagent said is said again by it, or where its whole call was cut, in the turn.
  const again = new Map<string, number>();
  return turn.blocks
    .toReversed()
    .map((block) => {
      const from = Date.parse(block.createdAt);
      const whose = parentOf(block) ?? "";
      const known = again.get(whose) ?? again.get("") ?? Number.POSITIVE_INFINITY;
      if (!block.superseded) again.set(whose, from);
      return { block, from, until: untilOf(turn, block), again: known };
    })
    .reverse();
}

function untilOf(turn: Turn, block: BlockUnion): number {
  if (block.mode !== "tool") return closeOf(turn, block);
  const last = stepsOf(turn, block).at(-1);
  return last?.state === block.content.state ? last.time : Number.POSITIVE_INFINITY;
}

/** The last of them, which are in their order, that is not beyond the limit. */
function lastUpTo<T>(all: readonly T[], of: (one: T) => number, limit: number): T | undefined {
  let from = 0;
  let until = all.length;
  while (from < until) {
    const middle = (from + until) >> 1;
    if (of(all[middle] as T) <= limit) from = middle + 1;
    else until = middle;
  }
  return all[from - 1];
}

function endOf(turn: Turn): number {
  return Date.parse(turn.finishedAt ?? turn.createdAt);
}

function closeOf(turn: Turn, block: BlockUnion): number {
  return Date.parse(block.closedAt ?? turn.finishedAt ?? block.createdAt);
}

const TEXT_WORDS = {
  thinking: "The model thinks",
  responding: "The model responds",
  prompt: "You say more",
} as const;
const NESTED_WORDS = {
  ...TEXT_WORDS,
  thinking: "A subagent thinks",
  responding: "A subagent responds",
} as const;

function momentsOf(turn: Turn, block: BlockUnion): Moment[] {
  const nested = !!parentOf(block);
  if (block.mode === "tool") {
    return stepsOf(turn, block).map(({ time, state }) => ({
      time,
      words: `${nested ? "A subagent’s " : ""}${block.content.name} ${CALL_WORDS[state]}`,
    }));
  }
  return [{ time: Date.parse(block.createdAt), words: (nested ? NESTED_WORDS : TEXT_WORDS)[block.mode] }];
}

function stepsOf(turn: Turn, { createdAt, closedAt, content: call }: Tool): CallStep[] {
  const ended = call.finishedAt ?? closedAt ?? turn.finishedAt;
  const steps: (CallStep | false)[] = [
    { time: Date.parse(createdAt), state: "queued" },
    !!call.askedAt && { time: Date.parse(call.askedAt), state: "awaiting_approval" },
    !!call.startedAt && { time: Date.parse(call.startedAt), state: "running" },
    !!ended && { time: Date.parse(ended), state: call.state },
  ];
  return steps.filter((step) => step !== false);
}

function stretchesOf(turn: Turn, moments: readonly Moment[], shortPauses: boolean): Stretch[] {
  const said = timesOfText(turn);
  const times = [...new Set([...moments.map(({ time }) => time), ...said.map(({ until }) => until)])].sort(
    (one, other) => one - other,
  );
  let at = 0;
  let block = 0;
  return times.slice(1).map((until, index) => {
    const time = times[index] as number;
    const millis = until - time;
    while (block < said.length - 1 && (said[block]?.until ?? 0) <= time) block += 1;
    const now = said[block];
    const speaks = now !== undefined && now.from <= time && until <= now.until;
    const length = shortPauses && !speaks ? Math.min(millis, SHORT_PAUSE) : millis;
    const stretch = { time, millis, at, length };
    at += length;
    return stretch;
  });
}

/** When at least one text came, in their order: those of subagents overlap. */
function timesOfText(turn: Turn): { from: number; until: number }[] {
  const times: { from: number; until: number }[] = [];
  for (const block of turn.blocks) {
    if (block.mode === "tool") continue;
    const [from, until] = [Date.parse(block.createdAt), closeOf(turn, block)];
    const last = times.at(-1);
    // Blocks stand in the order in which they began.
    if (last && from < last.until) last.until = Math.max(last.until, until);
    else times.push({ from, until });
  }
  return times;
}

/** The clock's time at this place of what is played. */
export function timeAt({ turn, stretches }: Timeline, at: number): number {
  const stretch = lastUpTo(stretches, (one) => one.at, at) ?? stretches[0];
  if (!stretch) return Date.parse(turn.createdAt);
  const share = stretch.length > 0 ? Math.max(0, Math.min(1, (at - stretch.at) / stretch.length)) : 1;
  return stretch.time + share * stretch.millis;
}

/** Where in what is played the clock showed this time. */
export function placeOf({ stretches }: Timeline, time: number): number {
  return placeIn(stretches, time);
}

function placeIn(stretches: readonly Stretch[], time: number): number {
  const stretch = lastUpTo(stretches, (one) => one.time, time) ?? stretches[0];
  if (!stretch) return 0;
  const share = stretch.millis > 0 ? Math.max(0, Math.min(1, (time - stretch.time) / stretch.millis)) : 1;
  return stretch.at + share * stretch.length;
}

/** The last thing that had happened at this place. */
export function momentAt(timeline: Timeline, at: number): Moment {
  const time = timeAt(timeline, at);
  const first = timeline.moments[0] as Moment;
  return lastUpTo(timeline.moments, (moment) => moment.time, time) ?? first;
}

/** The place of the next thing that happened, or of the one before. */
export function stepFrom({ places, length }: Timeline, at: number, by: 1 | -1): number {
  return by > 0
    ? (places.find((place) => place > at + 0.5) ?? length)
    : (places.findLast((place) => place < at - 0.5) ?? 0);
}

/** The blocks as they stood at this place. */
export function blocksAt(timeline: Timeline, at: number): BlockUnion[] {
  const { turn, spans } = timeline;
  if (at >= timeline.length) return turn.blocks;
  const time = timeAt(timeline, at);
  return spans
    .filter(({ from }) => from <= time)
    .map(({ block, until, again }) => {
      const then =
        until <= time ? block : block.mode === "tool" ? callAt(turn, block, time) : textAt(turn, block, time);
      return then.superseded && again > time ? { ...then, superseded: undefined } : then;
    });
}

function textAt<B extends Exclude<BlockUnion, Tool>>(turn: Turn, block: B, time: number): B {
  const until = closeOf(turn, block);
  return {
    ...block,
    closedAt: undefined,
    content: part(block.content, Date.parse(block.createdAt), until, time),
  };
}

function callAt(turn: Turn, block: Tool, time: number): Tool {
  const steps = stepsOf(turn, block);
  const { state } = steps.findLast((step) => step.time <= time) ?? { state: "queued" as const };
  const { content: call } = block;
  const started = call.startedAt && Date.parse(call.startedAt);
  const ended = steps.at(-1)?.time ?? time;
  const output = started && call.output ? part(call.output, started, ended, time) : "";
  return {
    ...block,
    closedAt: undefined,
    content: {
      ...call,
      state,
      startedAt: started && started <= time ? call.startedAt : undefined,
      finishedAt: undefined,
      response: undefined,
      diff: undefined,
      output: output || undefined,
    },
  };
}

/** As much of the text as fits the time, and never half a character. */
function part(text: string, from: number, until: number, time: number): string {
  const share = until > from ? Math.max(0, Math.min(1, (time - from) / (until - from))) : 1;
  const length = Math.floor(text.length * share);
  const halved = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, halved ? length - 1 : length);
}
