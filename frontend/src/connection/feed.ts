// The page's copies of turns. What arrives is put together once per frame, however much it is.
import type { TurnChangeUnion, TurnStatus } from "../protocol/messages.gen";
import { apply, GapError, isEnded, isOver, type TurnCopy } from "../turn/reducer";

/** A hidden page draws no frames; its copies still have to keep up. */
const HIDDEN_FRAME_MILLIS = 200;

interface Arrival {
  turnId: string;
  changes: readonly TurnChangeUnion[];
  cursor: string | undefined;
}

export interface FeedEvents {
  changed(turns: Readonly<Record<string, TurnCopy>>): void;
  ended(turn: TurnCopy): void;
  /** The copy misses something: the turn is wanted from its start. */
  gap(turnId: string): void;
}

export class Feed {
  private turns: Record<string, TurnCopy> = {};
  private cursors = new Map<string, string>();
  /** Prompts that never began and may be gone for good: what still comes of them is of no use. */
  private withdrawn = new Set<string>();
  private waiting: Arrival[] = [];
  private cancelFrame: (() => void) | undefined;

  constructor(
    private readonly events: FeedEvents,
    private readonly frame: (draw: () => void) => () => void = nextFrame,
  ) {}

  receive(turnId: string, changes: readonly TurnChangeUnion[], cursor: string | undefined): void {
    this.waiting.push({ turnId, changes, cursor });
    this.cancelFrame ??= this.frame(() => this.flush());
  }

  /** Where a reader of this turn goes on; undefined for one who has nothing. */
  cursorOf(turnId: string): string | undefined {
    this.flush();
    return this.cursors.get(turnId);
  }

  /** The turns that have begun here and not ended. */
  unfinished(): string[] {
    this.flush();
    return Object.values(this.turns)
      .filter((copy) => !isEnded(copy.turn.status))
      .map((copy) => copy.turn.id);
  }

  ended(turnId: string): boolean {
    const status = this.statusOf(turnId);
    return this.withdrawn.has(turnId) || (status !== undefined && isEnded(status));
  }

  /** Whether it has ended and does not go on. */
  over(turnId: string): boolean {
    const status = this.statusOf(turnId);
    return this.withdrawn.has(turnId) || (status !== undefined && isOver(status));
  }

  private statusOf(turnId: string): TurnStatus | undefined {
    this.flush();
    return this.turns[turnId]?.turn.status;
  }

  clear(): void {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    this.waiting = [];
    this.cursors.clear();
    this.withdrawn.clear();
    this.turns = {};
    this.events.changed(this.turns);
  }

  flush(): void {
    this.cancelFrame?.();
    this.cancelFrame = undefined;
    if (this.waiting.length === 0) return;
    const arrivals = this.waiting;
    this.waiting = [];
    const next = { ...this.turns };
    const over: TurnCopy[] = [];
    const gaps = new Set<string>();
    for (const arrival of arrivals) this.put(next, arrival, over, gaps);
    this.turns = next;
    this.events.changed(next);
    for (const copy of over) this.events.ended(copy);
    for (const turnId of gaps) this.events.gap(turnId);
  }

  private put(
    turns: Record<string, TurnCopy>,
    { turnId, changes, cursor }: Arrival,
    over: TurnCopy[],
    gaps: Set<string>,
  ): void {
    if (this.withdrawn.has(turnId)) return;
    if (gaps.has(turnId) && changes[0]?.kind !== "snapshot") return;
    const before = turns[turnId];
    try {
      let copy = before;
      for (const change of changes) copy = apply(copy, change);
      if (!copy) return;
      gaps.delete(turnId);
      if (before?.turn.status === "queued" && copy.turn.status === "cancelled") {
        // It never began, and may have been taken back for good: only who reads the session knows whether it is still there.
        delete turns[turnId];
        this.cursors.delete(turnId);
        this.withdrawn.add(turnId);
        over.push(copy);
        return;
      }
      turns[turnId] = copy;
      if (cursor) this.cursors.set(turnId, cursor);
      if (isEnded(copy.turn.status) && !(before && isEnded(before.turn.status))) over.push(copy);
    } catch (error) {
      if (!(error instanceof GapError)) throw error;
      gaps.add(turnId);
      this.cursors.delete(turnId);
    }
  }
}

function nextFrame(draw: () => void): () => void {
  if (document.hidden) {
    const timer = setTimeout(draw, HIDDEN_FRAME_MILLIS);
    return () => clearTimeout(timer);
  }
  // A frame that was asked for just before the page was hidden never comes; the timer does.
  const timer = setTimeout(draw, HIDDEN_FRAME_MILLIS);
  const handle = requestAnimationFrame(draw);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(handle);
  };
}
