// The page's connection to one terminal: comes back when it was cut, and gets what it lacks.
import { Backoff } from "../../connection/backoff";
import { Heartbeat } from "../../connection/heartbeat";
import type { Failure, TerminalCommandUnion, TerminalEventUnion } from "../../protocol/messages.gen";

const PROTOCOL_VERSION = 1;
const LONGEST_INPUT = 16_384;
const ACKNOWLEDGE_EVERY = 32_768;
const OPENS_WITHIN_MILLIS = 10_000;
const SIGNED_OUT = 4401;
/** What passes by itself: a drone that is away comes back. */
const PASSES: readonly string[] = ["no_drone", "drone_lost", "store_unavailable"];

export type LineState =
  | { is: "connecting" }
  | { is: "open" }
  | { is: "refused"; failure: Failure; passes: boolean }
  | { is: "closed"; exitCode: number | undefined }
  | { is: "signed_out" };

export interface LineEvents {
  state(state: LineState): void;
  /** Another terminal, or one of whose output something is gone: what is shown is to be forgotten. */
  reset(): void;
  /** Calls `shown` when it is on the screen; `earlier` was printed before, and is not to be answered. */
  output(text: string, earlier: boolean, shown: () => void): void;
  size(): { columns: number; rows: number };
}

export class TerminalLine {
  private socket: WebSocket | undefined;
  private offset = 0;
  private acknowledged = 0;
  private earlierUntil = 0;
  private over = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat = new Heartbeat(
    () => this.send({ type: "ping" }),
    () => this.socket && this.lost(this.socket),
  );
  private readonly backoff = new Backoff();

  constructor(
    private readonly sessionId: string,
    private readonly terminalId: string,
    private readonly events: LineEvents,
  ) {
    this.connect();
  }

  type(text: string): void {
    for (const part of partsOf(text)) this.send({ type: "input", text: part });
  }

  resize(): void {
    this.send({ type: "resize", ...this.events.size() });
  }

  /** Ends the terminal and all that runs in it. */
  end(): void {
    this.send({ type: "close" });
  }

  /** Tries again at once. */
  hurry(): void {
    if (this.over || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  }

  /** Leaves it; for some minutes it can be opened again. */
  leave(): void {
    this.over = true;
    this.drop();
  }

  private connect(): void {
    const address = new URL("/ws/terminal", window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onopen = () =>
      this.send({
        type: "open",
        protocolVersion: PROTOCOL_VERSION,
        sessionId: this.sessionId,
        terminalId: this.terminalId,
        offset: this.offset,
        ...this.events.size(),
      });
    socket.onmessage = (message) => this.heard(JSON.parse(String(message.data)) as TerminalEventUnion);
    socket.onclose = (event) => this.lost(socket, event.code);
    this.timer = setTimeout(() => this.lost(socket), OPENS_WITHIN_MILLIS);
  }

  private heard(event: TerminalEventUnion): void {
    this.heartbeat.heard();
    if (event.type === "opened") this.opened(event.fresh, event.offset, event.end);
    else if (event.type === "output") this.printed(event.offset, event.text);
    else if (event.type === "refused") this.refused(event.failure);
    else if (event.type === "closed") {
      this.leave();
      this.events.state({ is: "closed", exitCode: event.exitCode ?? undefined });
    }
  }

  private opened(fresh: boolean, offset: number, end: number): void {
    clearTimeout(this.timer);
    this.backoff.reset();
    if (fresh || offset !== this.offset) this.events.reset();
    this.offset = offset;
    this.acknowledged = offset;
    this.earlierUntil = end;
    this.heartbeat.start();
    this.events.state({ is: "open" });
    this.resize();
  }

  private printed(offset: number, text: string): void {
    this.offset = offset + text.length;
    const upTo = this.offset;
    this.events.output(text, offset < this.earlierUntil, () => this.shown(upTo));
  }

  private shown(upTo: number): void {
    if (upTo - this.acknowledged < ACKNOWLEDGE_EVERY) return;
    this.acknowledged = upTo;
    this.send({ type: "acknowledge", offset: upTo });
  }

  private refused(failure: Failure): void {
    const passes = PASSES.includes(failure.code);
    this.drop();
    this.events.state({ is: "refused", failure, passes });
    if (passes) this.again();
    else this.over = true;
  }

  private lost(socket: WebSocket, code?: number): void {
    if (this.socket !== socket) return;
    this.drop();
    if (code === SIGNED_OUT) {
      this.over = true;
      this.events.state({ is: "signed_out" });
    } else {
      this.events.state({ is: "connecting" });
      this.again();
    }
  }

  private again(): void {
    if (!this.over) this.timer = setTimeout(() => this.connect(), this.backoff.next());
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.heartbeat.stop();
    const socket = this.socket;
    this.socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Closing a socket that is not open yet is an error in the console; it is closed when it opens.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  private send(command: TerminalCommandUnion): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

/** Parts that a message takes, with no character cut in two. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + LONGEST_INPUT);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last < 0xdc00) to -= 1;
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}
