// ./gadget bench --drone: what the drone adds to each piece of a response, from the endpoint's socket to the service's.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile, stolenSince } from "./process-stats.mjs";
import { droneCommand, Service } from "./service.mjs";

/** A token carries its number and when it was written: `~17~1234.567~`. */
const TOKEN = /~(\d+)~([\d.]+)~/g;
const RATES = [50, 200, 1000];

const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
const listening = (server) => new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));

/** A model endpoint that streams so many tokens a second for a while, each stamped just before it is written. */
async function startEndpoint(tokens, rate) {
  const server = createServer((asked, response) => {
    asked.resume();
    if (asked.method === "GET") return response.end(JSON.stringify({ data: [{ id: "demo" }] }));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.socket.setNoDelay(true);
    const began = performance.now();
    let sent = 0;
    const chunk = (delta, finish) => response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] })}\n\n`);
    const next = () => {
      while (sent < tokens && performance.now() - began >= (sent * 1000) / rate) {
        sent += 1;
        chunk({ content: `~${sent}~${performance.now().toFixed(3)}~ ` });
      }
      // It waits as an endpoint does: one that counts in a loop keeps a core to itself that the drone would have.
      if (sent < tokens) return setTimeout(next, (sent * 1000) / rate - (performance.now() - began));
      chunk({}, "stop");
      response.end("data: [DONE]\n\n");
    };
    next();
  });
  return { server, url: `http://127.0.0.1:${await listening(server)}/v1` };
}

/** The text of the frames that a WebSocket client sends, as they come; what goes back is not looked at. */
class ClientFrames {
  #rest = Buffer.alloc(0);
  #upgraded = false;

  *read(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    if (!this.#upgraded) {
      const end = this.#rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.#upgraded = true;
      this.#rest = this.#rest.subarray(end + 4);
    }
    for (;;) {
      const frame = this.#rest;
      if (frame.length < 2) return;
      const short = frame[1] & 0x7f;
      const head = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (frame.length < head + 4) return;
      const length = short === 126 ? frame.readUInt16BE(2) : short === 127 ? Number(frame.readBigUInt64BE(2)) : short;
      if (frame.length < head + 4 + length) return;
      const mask = frame.subarray(head, head + 4);
      const text = Buffer.alloc(length);
      for (let at = 0; at < length; at += 1) text[at] = frame[head + 4 + at] ^ mask[at & 3];
      this.#rest = frame.subarray(head + 4 + length);
      yield text.toString("utf8");
    }
  }
}

/** Stands between drone and service, and reads on the socket what the drone says. */
async function startTap(servicePort, took) {
  const server = createTcpServer((drone) => {
    const service = connect(servicePort, "127.0.0.1");
    const frames = new ClientFrames();
    for (const socket of [drone, service]) socket.setNoDelay(true).on("error", () => {});
    drone.on("data", (bytes) => {
      const now = performance.now();
      for (const text of frames.read(bytes)) {
        for (const [, number, stamp] of text.matchAll(TOKEN)) took(Number(number), now - Number(stamp));
      }
    });
    drone.pipe(service);
    service.pipe(drone);
    drone.on("close", () => service.destroy());
    service.on("close", () => drone.destroy());
  });
  return { server, url: `http://127.0.0.1:${await listening(server)}` };
}

const figures = (samples) => {
  samples.sort((a, b) => a - b);
  return { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), max: samples.at(-1) };
};

/** The same pieces through a program that only copies: what the measuring itself and waking another program take. */
async function measureCopier(rate, { seconds, warmup }) {
  const samples = [];
  const endpoint = await startEndpoint(rate * (seconds + warmup), rate);
  const copier = spawn(process.execPath, [join(import.meta.dirname, "copier.mjs"), new URL(endpoint.url).port], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((done) => copier.stdout.once("data", (line) => done(Number(line))));
  await new Promise((done, failed) => {
    const asked = request(`http://127.0.0.1:${port}/v1/chat/completions`, { method: "POST" }, (response) => {
      response.on("data", (bytes) => {
        const now = performance.now();
        for (const [, number, stamp] of bytes.toString().matchAll(TOKEN)) {
          if (Number(number) > rate * warmup) samples.push(now - Number(stamp));
        }
      });
      response.on("end", done).on("error", failed);
    });
    asked.on("error", failed).end();
  });
  copier.kill("SIGTERM");
  endpoint.server.closeAllConnections();
  endpoint.server.close();
  return figures(samples);
}

async function measure(rate, { native, seconds, warmup }) {
  const tokens = rate * (seconds + warmup);
  const samples = [];
  let last = 0;
  let wrong = 0;
  let stolenPercent;
  const service = await Service.start({ native });
  const workspace = mkdtempSync(join(tmpdir(), "gadget-bench-workspace-"));
  const endpoint = await startEndpoint(tokens, rate);
  const tap = await startTap(service.port, (number, millis) => {
    wrong += number === last + 1 ? 0 : 1;
    last = number;
    if (number > rate * warmup) samples.push(millis);
  });
  let drone;
  try {
    await service.signIn();
    const { code } = await service.call("POST", "/drones/enrolments", {});
    const [program, ...first] = droneCommand(native);
    execFileSync(program, [...first, "enroll", "--server", service.url, "--code", code, "--workspace", workspace], { stdio: "ignore" });
    drone = spawn(program, [...first, "run", "--workspace", workspace, "--server", tap.url], { stdio: "ignore" });
    while (!(await service.call("GET", "/drones")).items.some((one) => one.status === "available")) await sleep(100);
    const provider = await service.call("POST", "/providers", { name: "bench", type: "openai", baseUrl: endpoint.url });
    const project = await service.call("POST", "/projects", { name: "bench" });
    const session = await service.call("POST", "/sessions", { projectId: project.id, providerId: provider.id, model: "demo", name: "bench" });
    const stolen = stolenSince();
    const turn = await service.call("POST", `/sessions/${session.id}/turns`, { prompt: "Go." });
    stolenPercent = stolen();
    if (turn.status !== "finished") throw new Error(`the turn ended as ${turn.status}: ${JSON.stringify(turn.error)}`);
  } finally {
    drone?.kill("SIGTERM");
    tap.server.close();
    endpoint.server.closeAllConnections();
    endpoint.server.close();
    await service.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
  return { rate, tokens: samples.length, wrong: wrong + (last === tokens ? 0 : 1), stolenPercent, ...figures(samples) };
}

export async function runDrone({ native, seconds, warmup }) {
  const rows = [];
  console.log(`what the drone adds to a piece of a response, endpoint's socket to service's, ${native ? "native" : "JVM"}`);
  console.log("  tokens/s   p50 ms   p99 ms   max ms   lost or swapped   stolen %   a copier in its place: p50, p99, max");
  for (const rate of RATES) {
    const copier = await measureCopier(rate, { seconds, warmup });
    const row = { ...(await measure(rate, { native, seconds, warmup })), copier };
    rows.push(row);
    const said = [row.p50.toFixed(2), row.p99.toFixed(2), row.max.toFixed(1)].map((figure) => figure.padEnd(7)).join("  ");
    console.log(`  ${String(rate).padEnd(9)}  ${said}  ${String(row.wrong).padEnd(16)}  ${row.stolenPercent.toFixed(1).padEnd(9)}  ${copier.p50.toFixed(2)}, ${copier.p99.toFixed(2)}, ${copier.max.toFixed(1)}`);
  }
  return rows;
}
