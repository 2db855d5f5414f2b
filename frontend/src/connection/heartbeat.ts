// Whether the other end of a socket still answers.
const ASK_EVERY_MILLIS = 10_000;
const ANSWERS_WITHIN_MILLIS = 15_000;
const MOST_PATIENCE_MILLIS = 120_000;

/** Asks again and again. Silence is no sign by itself: a page that was hidden for long hears its timers once a minute. */
export class Heartbeat {
  private askedAt: number | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** A page hears only whole messages: where one may have been too long for the line, the next try waits longer for it. */
  private patience = ANSWERS_WITHIN_MILLIS;

  constructor(
    private readonly ping: () => void,
    private readonly lost: () => void,
  ) {}

  start(): void {
    this.stop();
    this.timer = setInterval(() => this.beat(), ASK_EVERY_MILLIS);
  }

  /** Anything that is heard is an answer. */
  heard(): void {
    this.askedAt = undefined;
  }

  /** The other end answered what it was asked. */
  answered(): void {
    this.patience = ANSWERS_WITHIN_MILLIS;
  }

  stop(): void {
    clearInterval(this.timer);
    this.askedAt = undefined;
  }

  private beat(): void {
    if (this.askedAt === undefined) {
      this.askedAt = Date.now();
      this.ping();
    } else if (Date.now() - this.askedAt >= this.patience) {
      this.patience = Math.min(2 * this.patience, MOST_PATIENCE_MILLIS);
      this.lost();
    }
  }
}
