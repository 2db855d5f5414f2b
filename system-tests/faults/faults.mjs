// ./gadget faults: does to real processes what happens to them in the field, and counts what was lost, doubled or swapped.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, startProvider } from "../lib/processes.mjs";
import { Rig } from "./rig.mjs";
import { SCENARIOS } from "./scenarios.mjs";
import { seeded } from "./toxic-proxy.mjs";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "1" },
    parallel: { type: "string", default: "1" },
    only: { type: "string", default: Object.keys(SCENARIOS).join(",") },
    verbose: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

if (options.list) {
  for (const [name, { what }] of Object.entries(SCENARIOS)) console.log(`${name.padEnd(5)} ${what}`);
  process.exit(0);
}

const names = options.only.split(",").map((text) => text.trim());
const unknown = names.find((name) => !SCENARIOS[name]);
if (unknown) {
  console.error(`there is no fault ${unknown}; --list names them`);
  process.exit(2);
}

const KEPT = join(ROOT, "target/faults");

/** What the helpers of the tests expect of a test: a place for what has to be done at its end. */
class Cleanup {
  static #open = new Set();
  #actions = [];
  passed = true;

  constructor() {
    Cleanup.#open.add(this);
  }

  /** Of all that runs at the moment. */
  static async all() {
    await Promise.all([...Cleanup.#open].map((each) => each.run()));
  }

  after(action) {
    // A run that was stopped may just begin something.
    if (Cleanup.#open.has(this)) this.#actions.unshift(action);
    else void action();
  }

  async run() {
    Cleanup.#open.delete(this);
    for (const action of this.#actions.splice(0)) {
      try {
        await action();
      } catch (error) {
        console.error(`cleaning up: ${error.message}`);
      }
    }
  }
}

let stopping = false;
for (const [signal, status] of [["SIGINT", 130], ["SIGTERM", 143]]) {
  process.once(signal, async () => {
    console.error("stopping; what was begun is ended and removed");
    stopping = true;
    await Cleanup.all();
    process.exit(status);
  });
}

const forAll = new Cleanup();
const provider = await startProvider(forAll);

async function once(name, seed) {
  const t = new Cleanup();
  const rig = new Rig(t, seeded(seed), provider);
  let result;
  try {
    await rig.setUp(SCENARIOS[name]);
    result = await SCENARIOS[name].run(rig);
  } catch (error) {
    result = { tokens: 0, lost: 0, duplicated: 0, reordered: 0, faults: [error.message] };
  }
  const said = `---- code\n${rig.code?.program?.output}\n---- drone\n${rig.drone?.output}\n`;
  if (options.verbose) console.error(said);
  if (result.faults.length > 0) result.faults.push(`what both said: ${kept(name, seed, said)}`);
  await t.run();
  return result;
}

/** Keeps what the programs of a failed run said. */
function kept(name, seed, said) {
  mkdirSync(KEPT, { recursive: true });
  const file = join(KEPT, `${name}-${seed}.log`);
  writeFileSync(file, said);
  return file;
}

/** Runs a fault so often with growing seeds, some of them at the same time; the results in the order of the seeds. */
async function many(name) {
  const runs = Number(options.runs);
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let run = next++; run < runs && !stopping; run = next++) results[run] = await once(name, Number(options.seed) + run);
  };
  const workers = SCENARIOS[name].alone ? 1 : Math.min(runs, Number(options.parallel));
  await Promise.all(Array.from({ length: workers }, worker));
  return results;
}

let failed = 0;
console.log("fault  runs  tokens  lost  doubled  swapped  effects  seconds  verdict");
for (const name of names) {
  if (SCENARIOS[name].skip) {
    console.log(`${name.padEnd(5)} skipped: ${SCENARIOS[name].skip}`);
    continue;
  }
  const began = Date.now();
  const sum = { tokens: 0, lost: 0, duplicated: 0, reordered: 0, effects: 0, faults: [] };
  (await many(name)).forEach((result, run) => {
    for (const key of ["tokens", "lost", "duplicated", "reordered"]) sum[key] += result[key];
    sum.effects = Math.max(sum.effects, result.effects ?? 0);
    sum.faults.push(...result.faults.map((fault) => `seed ${Number(options.seed) + run}: ${fault}`));
  });
  failed += sum.faults.length;
  const seconds = Math.round((Date.now() - began) / 1000);
  const columns = [name, options.runs, sum.tokens, sum.lost, sum.duplicated, sum.reordered, sum.effects || "-", seconds, sum.faults.length ? "FAILED" : "ok"];
  const widths = [5, 5, 7, 5, 8, 8, 8, 8, 0];
  console.log(columns.map((column, index) => String(column)[index === 0 || index === 8 ? "padEnd" : "padStart"](widths[index])).join(" "));
  for (const fault of sum.faults) console.log(`       ${fault}`);
}
await forAll.run();
process.exit(failed > 0 ? 1 : 0);
