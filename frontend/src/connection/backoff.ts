// How long to wait before trying again: longer each time, and never all pages at once.
const FIRST_MILLIS = 400;
const LONGEST_MILLIS = 15_000;

export class Backoff {
  private tries = 0;

  constructor(private readonly random: () => number = Math.random) {}

  next(): number {
    const most = Math.min(LONGEST_MILLIS, FIRST_MILLIS * 2 ** this.tries);
    this.tries += 1;
    return most / 2 + (this.random() * most) / 2;
  }

  reset(): void {
    this.tries = 0;
  }
}

/** Waits, shorter when aborted. */
export function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, millis);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
