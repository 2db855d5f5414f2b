// A short, seeded part of the fault runs; `./gadget faults` does all of them, as often as wanted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Rig } from "./faults/rig.mjs";
import { SCENARIOS } from "./faults/scenarios.mjs";
import { seeded } from "./faults/toxic-proxy.mjs";

for (const [name, seed] of [["F1", 11], ["F2", 12], ["F4", 13], ["F13", 14], ["F15", 15], ["F17b", 17], ["F31", 16]]) {
  test(`${name}: ${SCENARIOS[name].what}`, async (t) => {
    const rig = await new Rig(t, seeded(seed)).setUp(SCENARIOS[name]);
    const verdict = await SCENARIOS[name].run(rig);
    assert.deepEqual(verdict.faults, [], `seed ${seed}`);
    assert.equal(verdict.lost + verdict.duplicated + verdict.reordered, 0, `seed ${seed}`);
  });
}
