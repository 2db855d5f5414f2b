// The doors for networks that stop sockets: a stream of events, or asking again and again.
import { call, open, ProblemError } from "../api/http";
import type { TurnChangeUnion, TurnEvents } from "../protocol/messages.gen";
import { Backoff, pause } from "./backoff";
import type { Door, DoorEvents } from "./door";
import { EventStreamParser } from "./event-stream";

const LOOK_EVERY_MILLIS = 4_000;
const WAIT_SECONDS = 25;
const STREAM_LIFE_MILLIS = 30 * 60_000;
/** The service sends something at once and then every few seconds: silence is a proxy that holds it back. */
const FIRST_BYTE_MILLIS = 4_000;
const SILENCE_MILLIS = 20_000;
const BLOCKED_AFTER = 2;

class HeldBackError extends Error {}

export class HttpDoor implements Door {
  private readonly over = new AbortController();
  private readonly following = new Map<string, AbortController>();
  private readonly backoff = new Backoff();
  private hurried = new AbortController();
  private sessionId: string | undefined;
  private heldBack = 0;

  constructor(
    readonly name: "sse" | "polling",
    private readonly events: DoorEvents,
  ) {
    void this.look();
  }

  show(sessionId: string | undefined): void {
    if (sessionId !== this.sessionId) this.stopFollowing();
    this.sessionId = sessionId;
    this.hurry();
  }

  follow(turnId: string): void {
    this.following.get(turnId)?.abort();
    const stop = new AbortController();
    this.following.set(turnId, stop);
    void this.read(turnId, stop.signal).finally(() => {
      if (this.following.get(turnId) === stop) this.following.delete(turnId);
    });
  }

  hurry(): void {
    this.hurried.abort();
    this.hurried = new AbortController();
  }

  close(): void {
    this.over.abort();
    this.hurried.abort();
    this.stopFollowing();
  }

  private stopFollowing(): void {
    for (const stop of this.following.values()) stop.abort();
    this.following.clear();
  }

  /** Nobody tells this door what begins elsewhere, so it looks. */
  private async look(): Promise<void> {
    while (!this.over.signal.aborted) {
      // From before the look: what it is hurried for meanwhile may not be in what it sees.
      const hurried = this.hurried.signal;
      try {
        const running = await this.events.lookAround();
        if (this.over.signal.aborted) return;
        this.backoff.reset();
        if (this.following.size === 0) this.events.state("live");
        if (running && !this.following.has(running) && !this.events.over(running)) this.follow(running);
        await pause(LOOK_EVERY_MILLIS, hurried);
      } catch (error) {
        if (!this.failed(error)) return;
        await pause(this.backoff.next(), hurried);
      }
    }
  }

  private async read(turnId: string, stop: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    const signal = AbortSignal.any([stop, this.over.signal]);
    // At least once: an interrupted turn that goes on says so only to who asks.
    do {
      // As with a look: it may be hurried for while it is asked.
      const hurried = this.hurried.signal;
      try {
        if (this.name === "sse") await this.stream(turnId, signal);
        else await this.poll(turnId, signal);
        this.heldBack = 0;
        backoff.reset();
      } catch (error) {
        if (signal.aborted || !this.failed(error)) return;
        await pause(backoff.next(), AbortSignal.any([signal, hurried]));
      }
    } while (!signal.aborted && !this.events.ended(turnId));
  }

  private path(turnId: string): string {
    const cursor = this.events.cursorOf(turnId);
    return `/turns/${turnId}/events?${cursor ? `cursor=${encodeURIComponent(cursor)}&` : ""}`;
  }

  private async poll(turnId: string, signal: AbortSignal): Promise<void> {
    const update = await call<TurnEvents>(`${this.path(turnId)}wait=${WAIT_SECONDS}`, {
      signal,
      patienceMillis: (WAIT_SECONDS + 10) * 1000,
    });
    if (signal.aborted) return;
    this.events.changes(turnId, update.events, update.cursor);
    this.events.state("live");
  }

  private async stream(turnId: string, signal: AbortSignal): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), FIRST_BYTE_MILLIS);
    let heard = false;
    try {
      const response = await open(this.path(turnId), {
        headers: { accept: "text/event-stream" },
        signal: AbortSignal.any([signal, silence.signal]),
        patienceMillis: STREAM_LIFE_MILLIS,
      });
      // The turn is over, and all of it is here.
      if (response.status === 204) return;
      const type = response.headers.get("content-type") ?? "";
      if (!type.startsWith("text/event-stream") || !response.body) throw new HeldBackError();
      const parser = new EventStreamParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MILLIS);
        // What goes on after its beginning is not held back.
        if (heard) this.heldBack = 0;
        heard = true;
        this.events.state("live");
        for (const { id, data } of parser.take(piece.value)) {
          this.events.changes(turnId, [JSON.parse(data) as TurnChangeUnion], id || undefined);
        }
      }
    } catch (error) {
      if (silence.signal.aborted) {
        // A service that is away holds nothing back.
        await call("/me", { signal, patienceMillis: FIRST_BYTE_MILLIS });
        throw new HeldBackError();
      }
      if (heard && !signal.aborted && !(error instanceof ProblemError)) {
        throw new ProblemError(0, "unreachable", "The stream was cut.");
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Says what an error means for the connection; false when it makes no sense to go on. */
  private failed(error: unknown): boolean {
    if (this.over.signal.aborted) return false;
    if (error instanceof ProblemError) {
      if (error.status === 401) this.events.signedOut();
      // Any other 404 is of something in between, while the service is replaced for example.
      else if (error.code === "not_found") return false;
      else this.events.state("offline");
      return error.status !== 401;
    }
    if (error instanceof HeldBackError || error instanceof TypeError) {
      this.heldBack += 1;
      if (this.heldBack >= BLOCKED_AFTER) this.events.blocked(this.name);
      return true;
    }
    // Whatever it is: a door that stopped looking would never find out that it passed.
    this.events.state("offline");
    return true;
  }
}
