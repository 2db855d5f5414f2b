// ./gadget bench --tools: what the drone's tools cost, measured through real turns with a scripted model.
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { memoryMiB, quantile } from "./process-stats.mjs";
import { script, sleep, startScene } from "./scene.mjs";

const FILES = 5_000;
const RUNS = 20;

const use = (tool, args) => ({ tool, arguments: args });

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
  const running = await startScene({ ...options, fill });
  const turn = async (...rounds) => {
    const session = await running.session();
    return running.service.call("POST", `/sessions/${session.id}/turns`, { prompt: script([...rounds, "done"]) });
  };
  return { ...running, turn };
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
    // The first turn of a drone, as below: what ran before it is not what a sandbox costs.
    rows.sandboxed = middle(await bench.turn(...many((index) => use("run_command", { command: `true ${index}` }))));
    rows.search = middle(await bench.turn(...many((index) => use("search", { pattern: `needle|n${index}eedle` }))));
    rows.listing = middle(await bench.turn(...many((index) => use("list_files", { path: "src", recursive: index % 2 === 0 }))));
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
