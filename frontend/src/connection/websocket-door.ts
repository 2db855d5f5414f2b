// The first choice: one socket for all that the page hears.
import { call, ProblemError } from "../api/http";
import type { Answer, IdeCommandUnion, IdeEventUnion } from "../protocol/messages.gen";
import { Backoff } from "./backoff";
import type { Door, DoorEvents } from "./door";
import { Heartbeat } from "./heartbeat";

const PROTOCOL_VERSION = 1;
const WELCOME_WITHIN_MILLIS = 8_000;
/** So many attempts in a row that fail while the service answers otherwise mean that something stops sockets. */
const BLOCKED_AFTER = 2;

/** A turn to follow, or the session to open. */
type Wanted = { turnId: string } | "session";

export class WebSocketDoor implements Door {
  readonly name = "websocket";
  private socket: WebSocket | undefined;
  private welcome = false;
  private closed = false;
  private blockedAttempts = 0;
  private sessionId: string | undefined;
  /** What was asked for and not answered yet, by request. */
  private readonly asked = new Map<string, Wanted>();
  /** What the service could not do now, and is asked for again. */
  private failed: Wanted[] = [];
  private requests = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly heartbeat = new Heartbeat(
    () => this.send({ type: "ping" }),
    () => this.socket && this.lost(this.socket),
  );
  private readonly backoff = new Backoff();

  constructor(private readonly events: DoorEvents) {
    this.connect();
  }

  show(sessionId: string | undefined): void {
    const before = this.sessionId;
    this.sessionId = sessionId;
    if (!this.welcome) return;
    this.forget();
    if (sessionId) this.openSession(sessionId);
    else {
      if (before) this.send({ type: "close_session", requestId: this.nextId(), sessionId: before });
      this.events.state("live");
    }
  }

  follow(turnId: string): void {
    if (!this.welcome) return;
    const cursor = this.events.cursorOf(turnId);
    const requestId = this.nextId();
    this.asked.set(requestId, { turnId });
    this.send({ type: "follow_turn", requestId, turnId, ...(cursor ? { cursor } : {}) });
  }

  hurry(): void {
    if (this.closed) return;
    if (!this.socket) {
      clearTimeout(this.timer);
      this.connect();
    } else if (this.asked.size === 0 && this.failed.length > 0) {
      clearTimeout(this.timer);
      this.askAgain();
    }
  }

  close(): void {
    this.closed = true;
    this.drop();
  }

  private connect(): void {
    const address = new URL("/ws/ide", window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.welcome = false;
    socket.onopen = () => this.send({ type: "hello", protocolVersion: PROTOCOL_VERSION });
    socket.onmessage = (message) => this.heard(JSON.parse(String(message.data)) as IdeEventUnion);
    socket.onclose = () => this.lost(socket);
    this.timer = setTimeout(() => this.lost(socket), WELCOME_WITHIN_MILLIS);
  }

  private heard(event: IdeEventUnion): void {
    this.heartbeat.heard();
    if (event.type === "turn_changed") {
      this.events.changes(event.turnId, event.changes, event.cursor);
      return;
    }
    if (event.type === "welcome") this.welcomed();
    if (event.type === "pong") this.heartbeat.answered();
    if (event.type === "answer") this.answered(event);
    this.events.news(event);
  }

  private answered({ requestId, failure }: Answer): void {
    const wanted = this.asked.get(requestId);
    if (!wanted) return;
    this.asked.delete(requestId);
    // What is not there does not come by asking again; the page finds that out when it reads the session.
    if (failure && failure.code !== "not_found") this.failed.push(wanted);
    if (this.asked.size > 0) return;
    if (this.failed.length > 0) {
      this.events.state("catching_up");
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.askAgain(), this.backoff.next());
    } else {
      this.backoff.reset();
      this.events.state("live");
    }
  }

  private askAgain(): void {
    const { failed } = this;
    this.failed = [];
    for (const wanted of failed) {
      if (wanted !== "session") this.follow(wanted.turnId);
      else if (this.sessionId) this.openSession(this.sessionId);
    }
  }

  /** What was asked for does not matter any more. */
  private forget(): void {
    clearTimeout(this.timer);
    this.asked.clear();
    this.failed = [];
  }

  private welcomed(): void {
    clearTimeout(this.timer);
    this.welcome = true;
    this.blockedAttempts = 0;
    this.heartbeat.start();
    if (!this.sessionId) {
      this.backoff.reset();
      this.events.state("live");
      return;
    }
    this.events.state("catching_up");
    const before = this.events.unfinished();
    this.openSession(this.sessionId);
    // With its cursor each turn goes on where it stopped, also one that has ended meanwhile.
    for (const turnId of before) this.follow(turnId);
  }

  private openSession(sessionId: string): void {
    const requestId = this.nextId();
    this.asked.set(requestId, "session");
    this.send({ type: "open_session", requestId, sessionId });
  }

  private lost(socket: WebSocket): void {
    if (this.socket !== socket) return;
    const welcomed = this.welcome;
    this.drop();
    if (this.closed) return;
    this.events.state(welcomed ? "connecting" : "offline");
    this.timer = setTimeout(() => void this.again(welcomed), this.backoff.next());
  }

  /** Before the next attempt, asks in another way: is the service there, and are we still signed in? */
  private async again(welcomed: boolean): Promise<void> {
    try {
      await call("/me", { patienceMillis: WELCOME_WITHIN_MILLIS });
      if (!welcomed) this.blockedAttempts += 1;
    } catch (error) {
      // Meanwhile the network may have come back, and the connection with it.
      if (this.closed || this.socket) return;
      if (error instanceof ProblemError && error.status === 401) return this.events.signedOut();
      this.events.state("offline");
      this.timer = setTimeout(() => void this.again(true), this.backoff.next());
      return;
    }
    if (this.closed || this.socket) return;
    if (this.blockedAttempts >= BLOCKED_AFTER) this.events.blocked("websocket");
    if (!this.closed) this.connect();
  }

  private drop(): void {
    this.forget();
    this.heartbeat.stop();
    const socket = this.socket;
    this.socket = undefined;
    this.welcome = false;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Closing a socket that is not open yet is an error in the console; it is closed when it opens.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  private send(command: IdeCommandUnion): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private nextId(): string {
    this.requests += 1;
    return `r${this.requests}`;
  }
}

/** Whether a socket gets through now; used from behind another door. */
export function socketWorks(): Promise<boolean> {
  return new Promise((resolve) => {
    const address = new URL("/ws/ide", window.location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    const timer = setTimeout(() => end(false), WELCOME_WITHIN_MILLIS);
    function end(works: boolean) {
      clearTimeout(timer);
      socket.onclose = null;
      socket.close();
      resolve(works);
    }
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocolVersion: PROTOCOL_VERSION }));
    // Any other first word is a refusal.
    socket.onmessage = (message) =>
      end((JSON.parse(String(message.data)) as IdeEventUnion).type === "welcome");
    socket.onclose = () => end(false);
  });
}
