// A TCP proxy that misbehaves on request: delay, slices, little bandwidth, silence per direction, cuts and resets.
import { createConnection, createServer } from "node:net";

export class ToxicProxy {
  #pairs = new Set();
  #delay = { base: 0, jitter: 0 };
  #slice = 0;
  #silent = { up: false, down: false };
  #cutAfter = Number.POSITIVE_INFINITY;
  #bytesPerSecond = Number.POSITIVE_INFINITY;

  /** @param random a seeded generator, so that a run can be had again */
  constructor(targetPort, random) {
    this.targetPort = targetPort;
    this.random = random;
  }

  async listen() {
    this.server = createServer((client) => this.#connect(client));
    await new Promise((done) => this.server.listen(0, "127.0.0.1", done));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Every chunk waits base ± jitter milliseconds, in order. */
  latency(base, jitter = 0) {
    this.#delay = { base, jitter };
  }

  /** Chunks are cut into pieces of at most so many bytes. */
  slicer(bytes) {
    this.#slice = bytes;
  }

  /** Each connection carries so many bytes a second in each direction, and says so to who writes by taking no more. */
  bandwidth(bytesPerSecond) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Nothing passes in that direction any more ("up" is towards the target), and nobody is told. */
  blackHole(direction = "both") {
    this.#silent = { up: direction !== "down", down: direction !== "up" };
  }

  /** Each new connection is reset after so many bytes of both directions together. */
  cutAfter(bytes) {
    this.#cutAfter = bytes;
  }

  reset() {
    for (const pair of this.#pairs) pair.reset();
  }

  heal() {
    this.#delay = { base: 0, jitter: 0 };
    this.#slice = 0;
    this.#silent = { up: false, down: false };
    this.#cutAfter = Number.POSITIVE_INFINITY;
    this.#bytesPerSecond = Number.POSITIVE_INFINITY;
  }

  get connections() {
    return this.#pairs.size;
  }

  async close() {
    this.reset();
    await new Promise((done) => this.server.close(done));
  }

  #connect(client) {
    const target = createConnection({ host: "127.0.0.1", port: this.targetPort });
    const pair = {
      bytes: 0,
      reset: () => {
        client.resetAndDestroy();
        target.resetAndDestroy();
      },
    };
    this.#pairs.add(pair);
    const over = () => {
      this.#pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      socket.setNoDelay(true);
      socket.on("error", over);
      socket.on("close", over);
    }
    this.#pump(client, target, "up", pair);
    this.#pump(target, client, "down", pair);
  }

  #pump(from, to, direction, pair) {
    let queue = Promise.resolve();
    from.on("data", (chunk) => {
      // What was swallowed once never comes: a partition loses it, and only closing the connection tells.
      if (this.#silent[direction] || pair.swallowed?.[direction]) {
        pair.swallowed = { ...pair.swallowed, [direction]: true };
        return;
      }
      pair.bytes += chunk.length;
      if (pair.bytes > this.#cutAfter) {
        pair.reset();
        return;
      }
      from.pause();
      queue = queue.then(() => this.#deliver(chunk, to)).then(() => from.resume());
    });
    from.on("end", () => queue.then(() => to.end()));
  }

  async #deliver(chunk, to) {
    const { base, jitter } = this.#delay;
    if (base > 0) await new Promise((done) => setTimeout(done, Math.max(0, base + (this.random() * 2 - 1) * jitter)));
    const size = Math.min(this.#slice || chunk.length, Math.max(1, this.#bytesPerSecond / 10));
    for (let at = 0; at < chunk.length; at += size) {
      if (to.destroyed) return;
      const took = (Math.min(size, chunk.length - at) * 1000) / this.#bytesPerSecond;
      if (took > 0) await new Promise((done) => setTimeout(done, took));
      if (!to.write(chunk.subarray(at, at + size))) await new Promise((done) => to.once("drain", done).once("close", done));
    }
  }
}

/** A small seeded generator of numbers from 0 up to 1 (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
