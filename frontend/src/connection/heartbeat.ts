// Whether the other end of a socket still answers.
const ASK_EVERY_MILLIS = 10_000;
const ANSWERS_WITHIN_MILLIS = 15_000;

/** Asks again and again. Silence is no sign by itself: a page that was hidden for long hears its timers once a minute. */
export class Heartbeat {
  private askedAt: number | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

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

  stop(): void {
    clearInterval(this.timer);
    this.askedAt = undefined;
  }

  private beat(): void {
    if (this.askedAt === undefined) {
      this.askedAt = Date.now();
      this.ping();
    } else if (Date.now() - this.askedAt >= ANSWERS_WITHIN_MILLIS) this.lost();
  }
}
