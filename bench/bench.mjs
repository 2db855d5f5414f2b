// ./gadget bench: measures the code service and the drone from outside, prints one table, writes it as JSON.
import { spawn, spawnSync, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { runDrone } from "./drone.mjs";
import { idlePage, Pair } from "./load.mjs";
import { runPeer } from "./peer.mjs";
import { busySeconds, cpuSeconds, memoryMiB, quantile, stolenSince } from "./process-stats.mjs";
import { runTools } from "./tools.mjs";
import { runUi } from "./ui.mjs";
import { droneCommand, ExternalStore, nativeBuilt, ROOT, Service } from "./service.mjs";

const CASES = {
  "1x50": { drones: 1, rate: 50 },
  "10x50": { drones: 10, rate: 50 },
  "100x50": { drones: 100, rate: 50 },
  "500x50": { drones: 500, rate: 50 },
  "100xmax": { drones: 100, window: 8 },
  // What a token costs late in a long turn, against early in it.
  "20x50-5s": { drones: 20, rate: 50, warmup: 5, seconds: 10 },
  "20x50-90s": { drones: 20, rate: 50, warmup: 90, seconds: 10 },
  // What a page costs that is connected and shows nothing that goes on.
  idle: { pages: 1000 },
};

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "1x50,10x50,100x50,500x50,100xmax,20x50-5s,20x50-90s,idle" },
    seconds: { type: "string", default: "15" },
    warmup: { type: "string", default: "5" },
    native: { type: "boolean", default: false },
    store: { type: "string", default: "embedded" },
    peer: { type: "string" },
    out: { type: "string", default: join(ROOT, "target/bench.json") },
    list: { type: "boolean", default: false },
    tools: { type: "boolean", default: false },
    ui: { type: "boolean", default: false },
    drone: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

if (options.list) {
  for (const [name, { drones, rate, window, pages }] of Object.entries(CASES)) {
    if (pages) console.log(`${name.padEnd(10)} ${pages} pages that only are connected`);
    else console.log(`${name.padEnd(10)} ${drones} drones, ${rate ? `${rate} tokens/s each` : `as fast as it goes, ${window} tokens in flight each`}`);
  }
  console.log("start      start times and idle memory of both programs, on the JVM and natively when built (always runs)");
  process.exit(0);
}

if (options.tools || options.ui) {
  const measured = options.ui
    ? { ui: await runUi({ native: options.native }), commit: commit() }
    : { tools: await runTools({ native: options.native }) };
  mkdirSync(join(ROOT, "target"), { recursive: true });
  writeFileSync(options.out, JSON.stringify(measured, null, 2));
  process.exit(0);
}

if (options.drone) {
  const rows = await runDrone({ native: options.native, seconds: Number(options.seconds), warmup: Number(options.warmup) });
  mkdirSync(join(ROOT, "target"), { recursive: true });
  writeFileSync(options.out, JSON.stringify({ drone: rows }, null, 2));
  process.exit(0);
}

const sleep = (millis) => new Promise((done) => setTimeout(done, millis));
const round = (value, digits = 1) => (Number.isFinite(value) ? Number(value.toFixed(digits)) : null);

const say = (text) => options.verbose && console.error(`${new Date().toISOString()} ${text}`);

async function inBatches(items, size, work) {
  for (let at = 0; at < items.length; at += size) await Promise.all(items.slice(at, at + size).map(work));
}

async function runCase(name, { drones, rate, window, warmup = Number(options.warmup), seconds = Number(options.seconds) }) {
  const store = options.store === "external" ? await ExternalStore.start() : undefined;
  const service = await Service.start({ native: options.native, env: store ? { GADGET_STORE_MONGODB_URL: store.url } : {} });
  let sampling = false;
  const latencies = [];
  const pairs = Array.from({ length: drones }, (_, index) => new Pair(service, index, (micros) => sampling && latencies.push(micros)));
  try {
    await service.signIn();
    const provider = await service.call("POST", "/providers", { name: "bench", type: "openai", baseUrl: "http://127.0.0.1:9/v1" });
    const project = await service.call("POST", "/projects", { name: "bench" });
    await sleep(1500);
    const idle = memoryMiB(service.pid).now;
    await inBatches(pairs, 20, (pair) => pair.setUp(project.id, provider.id));
    await sleep(1500);
    say(`${name}: ${drones} drones and readers are connected`);
    const connected = memoryMiB(service.pid).now;
    await inBatches(pairs, 20, (pair) => pair.startTurn());

    say(`${name}: turns run`);
    let sending = true;
    const sender = rate ? sendAtRate(pairs, rate, () => sending) : sendInWindow(pairs, window, () => sending);
    await sleep(warmup * 1000);
    const before = measure(service, pairs);
    const stolen = stolenSince();
    // The generator reads one socket after the other: what waits for its own loop is in the latency, too.
    const ownDelay = monitorEventLoopDelay({ resolution: 1 });
    ownDelay.enable();
    sampling = true;
    await sleep(seconds * 1000);
    ownDelay.disable();
    const after = measure(service, pairs);
    const stolenPercent = round(stolen());
    sampling = false;
    sending = false;
    await sender;
    say(`${name}: measured, ending the turns`);
    for (const pair of pairs) pair.finish();
    await allEnded(pairs);
    const wrong = (await Promise.all(pairs.map((pair) => pair.verify()))).reduce((sum, one) => sum + one, 0);
    const elapsed = (after.at - before.at) / 1000;
    const tokens = after.received - before.received;
    latencies.sort((a, b) => a - b);
    return {
      case: name,
      tokensPerSecond: round(tokens / elapsed, 0),
      p50Millis: round(quantile(latencies, 0.5) / 1000, 2),
      p99Millis: round(quantile(latencies, 0.99) / 1000, 2),
      generatorP99Millis: round(ownDelay.percentile(99) / 1e6, 2),
      cpuSecondsPerMillionTokens: round(((after.cpu - before.cpu) / tokens) * 1e6),
      rssIdleMiB: round(idle, 0),
      rssPeakMiB: round(memoryMiB(service.pid).peak, 0),
      kibPerConnection: drones > 1 ? round(((connected - idle) * 1024) / (2 * drones)) : null,
      lost: pairs.reduce((sum, pair) => sum + Math.max(0, pair.token - pair.received), 0),
      outOfOrder: pairs.reduce((sum, pair) => sum + pair.outOfOrder, 0),
      storedWrong: wrong,
      otherCores: round((after.busy - before.busy - (after.cpu - before.cpu)) / elapsed, 2),
      stolenPercent,
    };
  } finally {
    for (const pair of pairs) pair.close();
    await service.stop();
    store?.stop();
  }
}

/** Memory of pages at rest. As many come and go before, so that only what is kept for those that stay counts. */
async function runIdle(name, { pages }) {
  const service = await Service.start({ native: options.native });
  const open = [];
  try {
    await service.signIn();
    const connectAll = async () => {
      await inBatches(Array.from({ length: pages }), 20, async () => open.push(await idlePage(service)));
      await sleep(2000);
    };
    await connectAll();
    while (open.length) open.pop().terminate();
    await sleep(2000);
    const idle = memoryMiB(service.pid).now;
    await connectAll();
    const connected = memoryMiB(service.pid).now;
    const alive = open.filter((page) => page.readyState === page.OPEN).length;
    if (alive !== pages) throw new Error(`${name}: of ${pages} pages ${alive} are connected`);
    return { case: name, rssIdleMiB: round(idle, 0), rssPeakMiB: round(memoryMiB(service.pid).peak, 0), kibPerConnection: round(((connected - idle) * 1024) / pages) };
  } finally {
    for (const page of open) page.terminate();
    await service.stop();
  }
}

function measure(service, pairs) {
  return {
    at: performance.now(),
    cpu: cpuSeconds(service.pid),
    busy: busySeconds(),
    received: pairs.reduce((sum, pair) => sum + pair.received, 0),
  };
}

/** Open loop: tokens are due at fixed times, however the service fares. */
async function sendAtRate(pairs, rate, sending) {
  const began = performance.now();
  let slot = 0;
  const perSecond = rate * pairs.length;
  while (sending()) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; slot < due; slot += 1) pairs[slot % pairs.length].sendToken();
    await sleep(1);
  }
}

/** Closed loop: each drone keeps so many tokens in flight. */
async function sendInWindow(pairs, window, sending) {
  while (sending()) {
    for (const pair of pairs) while (pair.token - pair.received < window) pair.sendToken();
    await new Promise((done) => setImmediate(done));
  }
}

async function allEnded(pairs) {
  const until = performance.now() + 60_000;
  while (pairs.some((pair) => !pair.ended)) {
    if (performance.now() > until) throw new Error(`${pairs.filter((pair) => !pair.ended).length} turns did not end within 60 s`);
    await sleep(20);
  }
}

async function startTimes(native) {
  const label = native ? "native" : "jvm";
  const codes = [];
  let idle = 0;
  // The very first start makes the administrator, whose password takes half a second to hash.
  const first = await Service.start({ native });
  await first.stop({ keep: true });
  for (let run = 0; run < 3; run += 1) {
    const service = await Service.start({ native, data: first.data });
    codes.push(service.readyMillis);
    await sleep(2000);
    idle = memoryMiB(service.pid).now;
    await service.stop({ keep: run < 2 });
  }
  const versions = [];
  for (let run = 0; run < 7; run += 1) {
    const [program, ...args] = droneCommand(native);
    const began = performance.now();
    const ended = spawnSync(program, [...args, "--version"]);
    if (ended.status !== 0) throw new Error(`gadget-drone --version ended with ${ended.status}: ${ended.stderr}`);
    versions.push(performance.now() - began);
  }
  return {
    start: label,
    codeServiceReadyMillis: round(codes.sort((a, b) => a - b)[1], 0),
    codeServiceIdleMiB: round(idle, 0),
    droneVersionMillis: round(versions.sort((a, b) => a - b)[3], 0),
    droneConnectedMiB: round(await droneMemory(native), 0),
  };
}

/** Resident memory of a drone that is connected and has nothing to do. */
async function droneMemory(native) {
  const service = await Service.start({ native });
  const workspace = mkdtempSync(join(tmpdir(), "gadget-bench-workspace-"));
  let drone;
  try {
    await service.signIn();
    const { code } = await service.call("POST", "/drones/enrolments", {});
    const [program, ...args] = droneCommand(native);
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LANG: "C.UTF-8" };
    const enrolled = spawnSync(program, [...args, "enroll", "--server", service.url, "--code", code, "--workspace", workspace], { env });
    if (enrolled.status !== 0) throw new Error(`enroll ended with ${enrolled.status}: ${enrolled.stderr}${enrolled.stdout}`);
    drone = spawn(program, [...args, "run", "--workspace", workspace, "--server", service.url], { env, stdio: "ignore" });
    for (let tries = 0; tries < 300; tries += 1) {
      if ((await service.call("GET", "/drones")).items.some((item) => item.status === "available")) break;
      await sleep(100);
    }
    await sleep(3000);
    return memoryMiB(drone.pid).now;
  } finally {
    if (drone) {
      const gone = new Promise((done) => drone.once("exit", done));
      drone.kill("SIGTERM");
      await gone;
    }
    await service.stop();
    rmSync(workspace, { recursive: true, force: true });
  }
}

function commit() {
  try {
    return execFileSync("git", ["-C", ROOT, "rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

const report = {
  at: new Date().toISOString(),
  commit: commit(),
  machine: `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  program: options.native ? "native" : "jvm",
  command: `./gadget bench ${process.argv.slice(2).join(" ")}`.trim(),
  starts: [],
  cases: [],
};
if (options.native && !nativeBuilt()) throw new Error("--native: the executables are not built; run ./gadget native first");
report.starts.push(await startTimes(false));
if (nativeBuilt()) report.starts.push(await startTimes(true));
console.table(report.starts);
for (const name of options.cases.split(",").filter(Boolean)) {
  if (!CASES[name]) throw new Error(`no case named '${name}', there are: ${Object.keys(CASES).join(", ")}`);
  if (CASES[name].pages) {
    report.cases.push(await runIdle(name, CASES[name]));
    continue;
  }
  report.cases.push(await runCase(name, CASES[name]));
  if (options.peer) {
    const { warmup = Number(options.warmup), seconds = Number(options.seconds) } = CASES[name];
    report.cases.push(runPeer(options.peer, name, CASES[name], { seconds, warmup }));
  }
  console.error(`${name} done`);
}
console.table(report.cases);
if (!options.peer) report.drone = await runDrone({ native: options.native, seconds: Number(options.seconds), warmup: Number(options.warmup) });
if (!existsSync(join(ROOT, "target"))) mkdirSync(join(ROOT, "target"));
writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
console.log(`written to ${options.out}`);
if (report.cases.some((one) => one.lost || one.outOfOrder || one.storedWrong)) {
  console.error("tokens were lost, out of order or wrongly stored");
  process.exit(1);
}
