// Simulated drones and readers: every token carries its number and its send time, so what arrives can be checked and timed
// however the service merges or splits it.
import { randomUUID } from "node:crypto";
import WebSocket from "ws";

const THINKING = 40;
const RESPONDING = 60;
const CYCLE = THINKING + RESPONDING;
const TOOL_RESPONSE = "x".repeat(2048);
const TOOL_PARAMETER = "y".repeat(240);

const micros = () => Number(process.hrtime.bigint() / 1000n);

/** One drone with one session, and one reader of it. */
export class Pair {
  constructor(service, index, samples) {
    this.service = service;
    this.index = index;
    this.samples = samples;
    this.seq = 0;
    this.token = 0;
    this.position = (index * 37) % CYCLE;
    this.received = 0;
    this.expected = 1;
    this.outOfOrder = 0;
    this.rest = "";
    this.acked = 0;
    this.sentText = { thinking: 0, responding: 0 };
  }

  async setUp(projectId, providerId) {
    const { service } = this;
    const workspaceId = randomUUID();
    const { code } = await service.call("POST", "/drones/enrolments", {});
    const enrolled = await service.call("POST", "/drones/enrol", {
      code,
      name: `bench-${this.index}`,
      workspaceId,
      hostname: "bench",
      workspaceDir: `/bench/${this.index}`,
    });
    await this.connectDrone(enrolled.credential, workspaceId);
    this.session = await service.call("POST", "/sessions", { projectId, providerId, model: "bench", workspaceId });
    await this.connectReader();
  }

  connectDrone(credential, workspaceId) {
    const socket = new WebSocket(`${this.service.url.replace("http", "ws")}/ws/drone`, {
      headers: { authorization: `Bearer ${credential}` },
      perMessageDeflate: false,
    });
    this.drone = socket;
    socket.on("message", (data) => this.onDroneCommand(JSON.parse(data)));
    return opened(socket, () => {
      this.say({
        type: "hello",
        protocolVersion: 1,
        droneVersion: "bench",
        workspaceId,
        hostname: "bench",
        workspaceDir: `/bench/${this.index}`,
        platform: "bench",
        status: "available",
        held: [],
      });
      // While others are set up: a drone that says nothing is taken for lost.
      this.beats = setInterval(() => this.running || this.say({ type: "heartbeat", status: "available", held: [] }), 10_000);
      return new Promise((done) => {
        this.welcomed = done;
      });
    });
  }

  connectReader() {
    const socket = pageSocket(this.service);
    this.reader = socket;
    socket.on("message", (data) => this.onIdeEvent(data));
    return opened(socket, () => {
      socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
      socket.send(JSON.stringify({ type: "open_session", requestId: "open", sessionId: this.session.id }));
    });
  }

  say(event) {
    this.drone.send(JSON.stringify(event));
  }

  async startTurn() {
    this.turnId = (
      await this.service.call("POST", `/sessions/${this.session.id}/turns`, { prompt: "bench" }, { prefer: "respond-async" })
    ).turnId;
    await new Promise((done) => {
      this.started = done;
      if (this.running) done();
    });
  }

  onDroneCommand(command) {
    switch (command.type) {
      case "welcome":
        this.welcomed();
        break;
      case "process_work_order":
        this.order = { workOrderId: command.workOrder.workOrderId, attempt: command.attempt, fence: command.fence };
        this.say({ type: "work_order_accepted", ...this.order });
        break;
      case "start_work_order":
        this.running = true;
        this.report([{ type: "round_started", seq: ++this.seq, round: 1 }]);
        this.started?.();
        break;
      case "acknowledge_work":
        this.acked = command.ackedSeq;
        break;
      case "resend_work":
      case "refused":
        throw new Error(`drone ${this.index}: ${JSON.stringify(command)}`);
      default:
    }
  }

  report(entries) {
    this.say({ type: "work_reported", ...this.order, entries });
  }

  /** Says the next token; after each cycle a tool call. */
  sendToken() {
    const mode = this.position < THINKING ? "thinking" : "response";
    const number = ++this.token;
    this.report([{ type: mode, seq: ++this.seq, content: `~${number}.${micros()}~ word` }]);
    this.position += 1;
    if (this.position === CYCLE) {
      this.position = 0;
      const callId = `call-${number}`;
      this.report([
        { type: "tool_call", seq: ++this.seq, callId, name: "read_file", parameters: { path: TOOL_PARAMETER } },
        { type: "tool_started", seq: ++this.seq, callId },
        { type: "tool_result", seq: ++this.seq, callId, state: "done", response: TOOL_RESPONSE },
        { type: "round_started", seq: ++this.seq, round: 1 + Math.floor(number / CYCLE) },
      ]);
    }
  }

  finish() {
    this.report([
      {
        type: "work_order_complete",
        seq: ++this.seq,
        status: "finished",
        usage: { inputTokens: 1, outputTokens: this.token, thinkingTokens: 0 },
      },
    ]);
  }

  onIdeEvent(data) {
    const text = data.toString();
    if (!text.startsWith('{"type":"turn_changed"')) return;
    for (const change of JSON.parse(text).changes) {
      if (change.kind === "text_delta") this.onText(change.text);
      else if (change.kind === "snapshot") this.onSnapshot(change.turn);
      else if (change.kind === "done" || change.kind === "error") this.ended = change;
    }
  }

  /** What was said before the reader followed: it counts, and tells nothing about time. */
  onSnapshot(turn) {
    Object.assign(this, { rest: "", expected: 1, received: 0 });
    const samples = this.samples;
    this.samples = undefined;
    for (const block of turn.blocks) if (block.mode !== "tool") this.onText(block.content);
    this.samples = samples;
  }

  onText(text) {
    const whole = this.rest + text;
    const now = micros();
    let last = 0;
    for (const match of whole.matchAll(/~(\d+)\.(\d+)~ word/g)) {
      if (Number(match[1]) !== this.expected) this.outOfOrder += 1;
      this.expected = Number(match[1]) + 1;
      this.received += 1;
      this.samples?.(now - Number(match[2]));
      last = match.index + match[0].length;
    }
    this.rest = whole.slice(last);
  }

  /** Compares what is stored with what was sent; the count of tokens that are missing, doubled or out of order. */
  async verify() {
    const turn = await this.service.call("GET", `/turns/${this.turnId}`);
    const stored = turn.blocks.filter((block) => block.mode !== "tool").map((block) => block.content).join("");
    let expected = 1;
    let wrong = 0;
    for (const match of stored.matchAll(/~(\d+)\./g)) {
      if (Number(match[1]) !== expected) wrong += 1;
      expected = Number(match[1]) + 1;
    }
    return wrong + Math.abs(expected - 1 - this.token) + (turn.status === "finished" ? 0 : 1);
  }

  close() {
    clearInterval(this.beats);
    this.drone?.close();
    this.reader?.close();
  }
}

function opened(socket, then) {
  return new Promise((done, failed) => {
    socket.once("open", () => Promise.resolve(then()).then(done, failed));
    socket.once("error", failed);
    socket.once("unexpected-response", (_, answer) => failed(new Error(`the upgrade was answered with ${answer.statusCode}`)));
  });
}

function pageSocket(service) {
  return new WebSocket(`${service.url.replace("http", "ws")}/ws/ide`, {
    headers: { cookie: service.cookie, origin: service.url },
    perMessageDeflate: false,
  });
}

/** A page that is connected and greeted, and asks for nothing. */
export async function idlePage(service) {
  const socket = pageSocket(service);
  await opened(socket, () => {
    socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
    return new Promise((done) => socket.once("message", done));
  });
  return socket;
}
