// ./gadget bench --tools: what the drone's tools cost, measured through real turns with a scripted model.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, existsSync, writeFileSync, writeSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryMiB, quantile } from "./process-stats.mjs";
import { droneCommand, java, ROOT, Service } from "./service.mjs";

const FILES = 5_000;
const RUNS = 20;

const script = (...rounds) => `[[script]] ${JSON.stringify(rounds)}`;
const use = (tool, args) => ({ tool, arguments: args });
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

async function until(what, check, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(50);
  }
}

function fill(folder) {
  for (let index = 0; index < FILES; index++) {
    const directory = join(folder, `src/package${index % 100}`);
    mkdirSync(directory, { recursive: true });
    const lines = Array.from({ length: 40 }, (_, line) => `    int value${line} = compute(${index}, ${line}); // a line like others`);
    writeFileSync(join(directory, `File${index}.java`), `class File${index} {\n${lines.join("\n")}\n${index % 500 === 0 ? "// needle\n" : ""}}\n`);
  }
  const big = openSync(join(folder, "big.txt"), "w");
  const piece = `${"x".repeat(99)}\n`.repeat(10_000);
  for (let size = 0; size < 50; size++) writeSync(big, piece);
  closeSync(big);
}

async function scene(options) {
  const workspace = mkdtempSync(join(tmpdir(), "gadget-bench-workspace-"));
  fill(workspace);
  const portFile = join(workspace, "..", `gadget-bench-port-${process.pid}-${Math.random()}`);
  const provider = spawn(java(), ["-jar", join(ROOT, "scripted-provider/target/scripted-provider.jar"), "--port", "0", "--port-file", portFile], { stdio: "ignore" });
  const port = await until("the scripted provider", () => existsSync(portFile) && readFileSync(portFile, "utf8").trim());
  const service = await Service.start({ native: options.native });
  await service.signIn();
  const { code } = await service.call("POST", "/drones/enrolments", {});
  const [program, ...first] = droneCommand(options.native);
  execFileSync(program, [...first, "enroll", "--server", service.url, "--code", code, "--workspace", workspace], { stdio: "ignore" });
  const drone = spawn(program, [...first, "run", "--workspace", workspace, "--server", service.url, ...options.drone], { stdio: "ignore" });
  await until("the drone", async () => (await service.call("GET", "/drones")).items.some((one) => one.status === "available"));
  const { id: providerId } = await service.call("POST", "/providers", { name: "bench", type: "openai", baseUrl: `http://127.0.0.1:${port}/v1` });
  const { id: projectId } = await service.call("POST", "/projects", { name: "bench" });
  const turn = async (...rounds) => {
    const session = await service.call("POST", "/sessions", { projectId, providerId, model: "demo", approvalPolicy: "auto", limits: { maxRounds: 500 } });
    return service.call("POST", `/sessions/${session.id}/turns`, { prompt: script(...rounds, "done") });
  };
  return {
    turn,
    drone,
    workspace,
    stop: async () => {
      drone.kill("SIGTERM");
      provider.kill();
      await service.stop();
      rmSync(workspace, { recursive: true, force: true });
      rmSync(portFile, { force: true });
    },
  };
}

/** Milliseconds of each call of a turn, in order. */
function times(turn) {
  const wrong = turn.toolCalls.find((call) => call.state !== "done");
  if (wrong) throw new Error(`${wrong.name}: ${wrong.state}: ${wrong.response}`);
  return turn.toolCalls.map((call) => Date.parse(call.finishedAt) - Date.parse(call.startedAt)).sort((a, b) => a - b);
}

function ripgrep(workspace, args) {
  const samples = [];
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    execFileSync("rg", args, { cwd: workspace, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 });
    samples.push(performance.now() - began);
  }
  return quantile(samples.sort((a, b) => a - b), 0.5);
}

const many = (call) => Array.from({ length: RUNS }, (_, index) => [call(index)]);
const middle = (turn) => quantile(times(turn), 0.5);

export async function runTools({ native }) {
  const rows = {};
  let bench = await scene({ native, drone: [] });
  try {
    rows.search = middle(await bench.turn(...many((index) => use("search", { pattern: `needle|n${index}eedle` }))));
    rows.listing = middle(await bench.turn(...many((index) => use("list_files", { path: "src", recursive: index % 2 === 0 }))));
    rows.sandboxed = middle(await bench.turn(...many((index) => use("run_command", { command: `true ${index}` }))));
    rows.edit = middle(await bench.turn(...many((index) => use("write_file", { path: `made${index}.txt`, content: "x\n" }))));
    rows.ripgrepSearch = ripgrep(bench.workspace, ["-n", "needle"]);
    rows.ripgrepListing = ripgrep(bench.workspace, ["--files"]);
    await sleep(1000);
    const before = memoryMiB(bench.drone.pid);
    await bench.turn([use("run_command", { command: "head -c 1000000000 /dev/zero | tr '\\0' 'x' | fold -w 100", timeout_seconds: 300 })]);
    rows.rssAfterOutput = memoryMiB(bench.drone.pid).peak - before.now;
    const middleRss = memoryMiB(bench.drone.pid);
    await bench.turn([use("read_file", { path: "big.txt", offset: 400_000, limit: 100 })]);
    rows.rssAfterRead = memoryMiB(bench.drone.pid).peak - Math.max(middleRss.peak, middleRss.now);
  } finally {
    await bench.stop();
  }
  bench = await scene({ native, drone: ["--sandbox", "off"] });
  try {
    rows.bare = middle(await bench.turn(...many((index) => use("run_command", { command: `true ${index}` }))));
  } finally {
    await bench.stop();
  }
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(`tools of the drone, ${native ? "native" : "JVM"}, ${FILES} files, median of ${RUNS}`);
  console.log(`  search            ${ms(rows.search)}, ripgrep alone ${ms(rows.ripgrepSearch)}`);
  console.log(`  list_files        ${ms(rows.listing)}, ripgrep --files ${ms(rows.ripgrepListing)}`);
  console.log(`  run_command true  ${ms(rows.sandboxed)} in the sandbox, ${ms(rows.bare)} without`);
  console.log(`  write_file        ${ms(rows.edit)}, on the disk`);
  console.log(`  memory            +${rows.rssAfterOutput.toFixed(1)} MiB for 1 GB of output, +${rows.rssAfterRead.toFixed(1)} MiB for a file of 50 MB`);
  return rows;
}
