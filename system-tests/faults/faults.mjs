// ./gadget faults: does to real processes what happens to them in the field, and counts what was lost, doubled or swapped.
import { parseArgs } from "node:util";
import { Rig } from "./rig.mjs";
import { SCENARIOS } from "./scenarios.mjs";
import { seeded } from "./toxic-proxy.mjs";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "1" },
    only: { type: "string", default: Object.keys(SCENARIOS).join(",") },
    verbose: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

if (options.list) {
  for (const [name, { what }] of Object.entries(SCENARIOS)) console.log(`${name.padEnd(5)} ${what}`);
  process.exit(0);
}

/** What the helpers of the tests expect of a test: a place for what has to be done at its end. */
class Cleanup {
  #actions = [];
  passed = true;

  after(action) {
    this.#actions.unshift(action);
  }

  async run() {
    for (const action of this.#actions.splice(0)) {
      try {
        await action();
      } catch (error) {
        console.error(`cleaning up: ${error.message}`);
      }
    }
  }
}

async function once(name, seed) {
  const t = new Cleanup();
  const rig = new Rig(t, seeded(seed));
  try {
    await rig.setUp(SCENARIOS[name]);
    return await SCENARIOS[name].run(rig);
  } catch (error) {
    return { tokens: 0, lost: 0, duplicated: 0, reordered: 0, faults: [error.message] };
  } finally {
    if (options.verbose) console.error(`---- code\n${rig.code?.program?.output.slice(-6000)}\n---- drone\n${rig.drone?.output.slice(-6000)}`);
    await t.run();
  }
}

let failed = 0;
console.log("fault  runs  tokens  lost  doubled  swapped  effects  verdict");
for (const name of options.only.split(",").map((text) => text.trim())) {
  if (!SCENARIOS[name]) {
    console.error(`there is no fault ${name}; --list names them`);
    process.exit(2);
  }
  if (SCENARIOS[name].skip) {
    console.log(`${name.padEnd(5)} skipped: ${SCENARIOS[name].skip}`);
    continue;
  }
  const sum = { tokens: 0, lost: 0, duplicated: 0, reordered: 0, effects: 0, faults: [] };
  for (let run = 0; run < Number(options.runs); run += 1) {
    const seed = Number(options.seed) + run;
    const result = await once(name, seed);
    for (const key of ["tokens", "lost", "duplicated", "reordered"]) sum[key] += result[key];
    sum.effects = Math.max(sum.effects, result.effects ?? 0);
    sum.faults.push(...result.faults.map((fault) => `seed ${seed}: ${fault}`));
  }
  failed += sum.faults.length;
  const columns = [name, options.runs, sum.tokens, sum.lost, sum.duplicated, sum.reordered, sum.effects || "-", sum.faults.length ? "FAILED" : "ok"];
  const widths = [5, 5, 7, 5, 8, 8, 8, 0];
  console.log(columns.map((column, index) => String(column)[index === 0 || index === 7 ? "padEnd" : "padStart"](widths[index])).join(" "));
  for (const fault of sum.faults) console.log(`       ${fault}`);
}
process.exit(failed > 0 ? 1 : 0);
