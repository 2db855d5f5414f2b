// The processes of one run: a scripted provider, the code service, a drone (behind a proxy when a fault needs one), readers.
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import WebSocket from "ws";
import {
  CodeService, atEnd, command, eventually, freePort, makeSession, processesIn, start, startProvider, startStore, temporaryFolder,
} from "../lib/processes.mjs";
import { check } from "./checker.mjs";
import { PollingReader, SocketReader, SseReader } from "./readers.mjs";
import { ToxicProxy } from "./toxic-proxy.mjs";

export class Rig {
  /** @param provider one that runs already, for all runs; without it one of its own */
  constructor(t, random, provider) {
    this.t = t;
    this.random = random;
    this.provider = provider;
  }

  async setUp({ proxied = false, ownStore = false, droneEnv = {} } = {}) {
    this.droneEnv = droneEnv;
    this.provider ??= await startProvider(this.t);
    const env = ownStore ? { GADGET_STORE_MONGODB_URL: await this.startStore() } : {};
    this.code = new CodeService(this.t, temporaryFolder(this.t, "data"), await freePort(), env);
    await this.startCode();
    if (proxied) {
      this.proxy = await new ToxicProxy(this.code.port, this.random).listen();
      atEnd(this.t, () => this.proxy.close());
    }
    this.workspace = temporaryFolder(this.t, "workspace");
    const { code } = await this.call("POST", "/drones/enrolments", {});
    const enrol = start(this.t, "enroll", [...command("drone"), "enroll", "--server", this.code.url, "--code", code, "--workspace", this.workspace]);
    const how = await enrol.exited;
    if (how.code !== 0) throw new Error(`enroll ended with ${how.code}: ${enrol.output}`);
    await this.startDrone();
    await eventually("the drone is available", async () => (await this.call("GET", "/drones")).items[0]?.status === "available", {
      seconds: 120,
      programs: this.programs(),
    });
    this.session = await makeSession(this.call, { baseUrl: this.provider.openai, reasoningEffort: "low" });
    return this;
  }

  /** A store in a process of its own, behind a proxy: its address. */
  async startStore() {
    const { program, port } = await startStore(this.t);
    this.storeProxy = await new ToxicProxy(port, this.random).listen();
    atEnd(this.t, () => this.storeProxy.close());
    this.store = { freeze: () => process.kill(program.pid, "SIGSTOP"), thaw: () => process.kill(program.pid, "SIGCONT") };
    atEnd(this.t, () => program.running && this.store.thaw());
    return `mongodb://127.0.0.1:${this.storeProxy.port}/?directConnection=true`;
  }

  programs() {
    return [this.code.program, this.provider.program];
  }

  async startCode() {
    await this.code.start();
    this.call = await this.code.signIn();
  }

  async startDrone() {
    const server = this.proxy?.url ?? this.code.url;
    this.drone = start(this.t, "drone", [...command("drone"), "run", "--workspace", this.workspace, "--server", server], { env: this.droneEnv });
  }

  anotherDrone(workspace) {
    return start(this.t, "another drone", [...command("drone"), "run", "--workspace", workspace, "--server", this.code.url]);
  }

  copyOfWorkspace() {
    const copy = temporaryFolder(this.t, "copy");
    cpSync(this.workspace, copy, { recursive: true });
    return copy;
  }

  /** Everything that a page is told from now on. */
  news() {
    const events = [];
    const socket = new WebSocket(`${this.code.url.replace(/^http/, "ws")}/ws/ide`, { headers: { cookie: this.call.cookie, origin: this.code.url } });
    socket.on("open", () => socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 })));
    socket.on("message", (text) => events.push(JSON.parse(text)));
    socket.on("error", () => {});
    atEnd(this.t, () => socket.terminate());
    return events;
  }

  /** The drone that works, among others that a fault may bring. */
  async ownDrone() {
    for (let cursor = ""; cursor !== undefined; ) {
      const page = await this.call("GET", `/drones?limit=200${cursor}`);
      const own = page.items.find((drone) => drone.workspaceDir === this.workspace);
      if (own) return own;
      cursor = page.next ? `&cursor=${encodeURIComponent(page.next)}` : undefined;
    }
    return undefined;
  }

  turn(turnId) {
    return this.call("GET", `/turns/${turnId}`);
  }

  /** Submits a prompt and follows it through all three doors; `tokens` is how many the provider numbers. */
  async stream(prompt, tokens, session = this.session) {
    const { turnId } = await this.call("POST", `/sessions/${session.id}/turns`, { prompt }, { prefer: "respond-async" });
    const readers = [SseReader, PollingReader, SocketReader].map((Kind) => new Kind(Kind.name, this.code.url, this.call.cookie, turnId));
    atEnd(this.t, () => readers.forEach((reader) => reader.stop()));
    return { turnId, tokens, readers };
  }

  /** Waits for the end everywhere, and compares. */
  async finish(run, status = "finished") {
    const ended = new Set(["finished", "failed", "cancelled", "budget_reached"]);
    const turn = await eventually("the turn ends", async () => {
      const now = await this.turn(run.turnId);
      return ended.has(now.status) && now;
    }, { seconds: 120, programs: this.programs() });
    await Promise.race([
      Promise.all(run.readers.map((reader) => reader.done)),
      new Promise((done) => setTimeout(done, 60_000)),
    ]);
    const verdict = check({ turn: await this.turn(run.turnId), readers: run.readers, tokens: run.tokens });
    if (status && turn.status !== status) verdict.faults.push(`it ended as ${turn.status} (${JSON.stringify(turn.error)}), not as ${status}`);
    await this.nothingLeft(verdict);
    return verdict;
  }

  /** The drone is free again, keeps no recovery files, and no process of a tool is left in the workspace. */
  async nothingLeft(verdict) {
    try {
      await eventually("the drone is free again", async () => (await this.ownDrone())?.status === "available", { seconds: 60 });
      await eventually("nothing is left over", () => this.#leftOver().length === 0, { seconds: 60 });
    } catch (error) {
      verdict.faults.push([error.message.split("\n")[0], ...this.#leftOver()].join("; "));
    }
  }

  #leftOver() {
    const folder = join(this.workspace, ".gadget");
    const files = readdirSync(folder, { recursive: true }).filter((name) => /work-order\.json|\.journal$|\.new$/.test(name));
    return [...files, ...processesIn(this.workspace, this.drone.pid).map((pid) => `process ${pid}`)];
  }
}
