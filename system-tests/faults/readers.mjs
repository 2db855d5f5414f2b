// Readers of a turn as users have them: each goes through one door, comes back whenever it is cut, and ends with the turn.
import WebSocket from "ws";
import { events, Reader } from "../lib/sse.mjs";

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

class Following {
  reader = new Reader();
  cuts = 0;
  stopped = false;
  #abort = new AbortController();

  constructor(name, base, cookie, turnId) {
    Object.assign(this, { name, base, cookie, turnId });
    this.done = this.#follow();
  }

  /** Ends the connection of this moment; the reader comes back by itself. */
  cut() {
    this.#abort.abort();
  }

  stop() {
    this.stopped = true;
    this.cut();
  }

  async #follow() {
    while (!this.reader.end && !this.stopped) {
      this.#abort = new AbortController();
      try {
        await this.read(this.#abort.signal);
      } catch {
        this.cuts += 1;
      }
      if (!this.reader.end) await pause(100);
    }
  }

  take(changes) {
    for (const change of changes) {
      this.reader.apply(change);
      if (change.kind === "status" && change.status === "interrupted") this.interrupted = true;
    }
  }
}

export class SseReader extends Following {
  async read(signal) {
    const response = await fetch(`${this.base}/api/v1/turns/${this.turnId}/events`, {
      headers: { cookie: this.cookie, accept: "text/event-stream", ...(this.last ? { "last-event-id": this.last } : {}) },
      signal,
    });
    if (!response.ok) throw new Error(`SSE: ${response.status}`);
    for await (const event of events(response)) {
      this.take([event.data]);
      this.last = event.id || this.last;
    }
  }
}

export class PollingReader extends Following {
  async read(signal) {
    // Each request leaves a listener at the signal for a while, so that one signal is not for ever more of them.
    for (let polls = 0; polls < 500 && !this.reader.end; polls += 1) {
      const cursor = this.cursor ? `&cursor=${this.cursor}` : "";
      const response = await fetch(`${this.base}/api/v1/turns/${this.turnId}/events?wait=5${cursor}`, {
        headers: { cookie: this.cookie, accept: "application/json" },
        signal,
      });
      if (!response.ok) throw new Error(`polling: ${response.status}`);
      const answer = await response.json();
      this.take(answer.events);
      this.cursor = answer.cursor;
    }
  }
}

export class SocketReader extends Following {
  read(signal) {
    return new Promise((done, failed) => {
      const socket = new WebSocket(`${this.base.replace(/^http/, "ws")}/ws/ide`, {
        headers: { cookie: this.cookie, origin: this.base },
        handshakeTimeout: 5000,
      });
      const send = (message) => socket.send(JSON.stringify(message));
      const alive = setInterval(() => socket.readyState === WebSocket.OPEN && send({ type: "ping" }), 5000);
      signal.addEventListener("abort", () => socket.terminate());
      socket.on("open", () => send({ type: "hello", protocolVersion: 1 }));
      socket.on("message", (text) => {
        const message = JSON.parse(text);
        if (message.type === "welcome" || (message.type === "turn_started" && message.turnId === this.turnId)) {
          send({ type: "follow_turn", requestId: `follow-${this.cuts}`, turnId: this.turnId, ...(this.cursor ? { cursor: this.cursor } : {}) });
        } else if (message.type === "turn_changed" && message.turnId === this.turnId) {
          this.take(message.changes);
          this.cursor = message.cursor;
          if (this.reader.end) socket.close();
        }
      });
      socket.on("error", failed);
      socket.on("close", () => {
        clearInterval(alive);
        done();
      });
    });
  }
}
