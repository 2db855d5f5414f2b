// What is done to the system, by the numbers of the faults: each drives one turn, and hands back what the checker compares.
import { existsSync, readdirSync, readFileSync, truncateSync, appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../lib/processes.mjs";
import { CANCEL_SCENARIOS } from "./cancel-scenarios.mjs";
import { DRONE_SCENARIOS } from "./drone-scenarios.mjs";
import { PROVIDER_SCENARIOS } from "./provider-scenarios.mjs";
import { READER_SCENARIOS } from "./reader-scenarios.mjs";
import { SimulatedDrone } from "./simulated-drone.mjs";
import { lorem, pause, streaming } from "./steps.mjs";
import { STORE_SCENARIOS } from "./store-scenarios.mjs";

const PROGRAM_SCENARIOS = {
  F1: {
    what: "drone killed in mid-text, started again",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 900, rate: 100 }), 940);
      await streaming(rig, run.turnId, 100 + rig.random() * 1000);
      await rig.drone.kill("SIGKILL");
      // Where the machine stood still meanwhile, its answer may have come as a whole before it was killed.
      const seen = async () => /interrupted|finished/.test((await rig.turn(run.turnId)).status);
      await eventually("the turn is shown as interrupted", seen, { seconds: 35 });
      await rig.startDrone();
      return rig.finish(run);
    },
  },
  F2: {
    what: "drone killed while a command runs",
    async run(rig) {
      const run = await rig.stream('[[run command="echo once >> effects.txt; sleep 3"]]', undefined);
      const effects = join(rig.workspace, "effects.txt");
      await eventually("the command has its effect", () => existsSync(effects), { seconds: 30, programs: rig.programs() });
      await rig.drone.kill("SIGKILL");
      await rig.startDrone();
      const result = await rig.finish(run);
      const lines = readFileSync(effects, "utf8").trim().split("\n").length;
      if (lines !== 1) result.faults.push(`the command had its effect ${lines} times`);
      result.effects = lines;
      return result;
    },
  },
  F3: {
    what: "drone killed, the end of its journal torn",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, run.turnId, 400);
      await rig.drone.kill("SIGKILL");
      const folder = join(rig.workspace, ".gadget/journal");
      const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".journal")));
      if (rig.random() < 0.5) truncateSync(file, statSync(file).size - 5);
      else appendFileSync(file, Buffer.from([0, 0, 0, 90, 1, 2, 3, 4, 123, 34]));
      await rig.startDrone();
      return rig.finish(run);
    },
  },
  F4: {
    what: "code service killed in mid-stream, started again",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 400, rate: 100 }), 440);
      await streaming(rig, run.turnId, 100 + rig.random() * 1200);
      await rig.code.program.kill("SIGKILL");
      await pause(200 + rig.random() * 1000);
      await rig.startCode();
      return rig.finish(run);
    },
  },
  F6: {
    what: "the turn ends while the code service is down",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 200, rate: 200 }), 240);
      await streaming(rig, run.turnId, 100);
      await rig.code.program.kill("SIGKILL");
      await pause(4000);
      await rig.startCode();
      return rig.finish(run);
    },
  },
  F7: {
    what: "code service restarted by SIGTERM under load",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 400, rate: 100 }), 440);
      await streaming(rig, run.turnId, 300);
      const started = Date.now();
      await rig.code.program.stop("SIGTERM", 15);
      const took = Date.now() - started;
      await rig.startCode();
      const result = await rig.finish(run);
      if (took > 10_000) result.faults.push(`it took ${took} ms to stop`);
      return result;
    },
  },
  F15: {
    what: "drone and code service parted for 8 s, in both directions",
    proxied: true,
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 400, rate: 100 }), 440);
      await streaming(rig, run.turnId, 300);
      rig.proxy.blackHole("both");
      await pause(8000);
      rig.proxy.reset();
      rig.proxy.heal();
      return rig.finish(run);
    },
  },
  F16: {
    what: "one direction lost until the other side notices",
    proxied: true,
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, run.turnId, 200);
      rig.proxy.blackHole(rig.random() < 0.5 ? "up" : "down");
      await pause(34_000);
      rig.proxy.heal();
      return rig.finish(run);
    },
  },
  F17: {
    what: "a slow, sliced line that is reset",
    proxied: true,
    async run(rig) {
      rig.proxy.latency(30, 20);
      rig.proxy.slicer(7);
      const run = await rig.stream(lorem({ tokens: 200, rate: 100 }), 240);
      await streaming(rig, run.turnId, 100);
      rig.proxy.reset();
      await pause(500 + rig.random() * 500);
      rig.proxy.reset();
      return rig.finish(run);
    },
  },
  F20: {
    what: "a second drone in the workspace, and one in a copy of it",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, run.turnId, 100);
      const second = rig.anotherDrone(rig.workspace);
      const copy = rig.copyOfWorkspace();
      const third = rig.anotherDrone(copy);
      const faults = [];
      for (const [where, drone, says] of [["workspace", second, /already|another/i], ["copy", third, /copied|another/i]]) {
        const how = await Promise.race([drone.exited, pause(15_000)]);
        if (!how) faults.push(`the drone in the ${where} runs on`);
        else if (how.code === 0 || !says.test(drone.output)) faults.push(`the drone in the ${where} ended with ${how.code}: ${drone.output.slice(-200)}`);
      }
      const result = await rig.finish(run);
      result.faults.push(...faults);
      return result;
    },
  },
  F21: {
    what: "drone frozen past its lease, then thawed",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, run.turnId, 200);
      process.kill(rig.drone.pid, "SIGSTOP");
      await eventually("the turn is shown as interrupted", async () => (await rig.turn(run.turnId)).status === "interrupted", { seconds: 45 });
      process.kill(rig.drone.pid, "SIGCONT");
      return rig.finish(run);
    },
  },
  F29: {
    what: "a command prints a million lines",
    async run(rig) {
      const run = await rig.stream('[[run command="seq 1 1000000"]]', undefined);
      return rig.finish(run);
    },
  },
  F32: {
    what: "drone killed right after the prompt",
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 100, rate: 200 }), 140);
      await rig.drone.kill("SIGKILL");
      await rig.startDrone();
      return rig.finish(run);
    },
  },
  F34: {
    alone: true,
    what: "five hundred drones come back at once after a restart",
    async run(rig) {
      // From its first turn on the session belongs to the workspace, and goes to no other drone.
      await rig.finish(await rig.stream("[[plain]]", undefined));
      const drones = [];
      for (let at = 0; at < 500; at += 20) {
        drones.push(...(await Promise.all(Array.from({ length: 20 }, (_, index) => SimulatedDrone.enrol(rig, `drone-${at + index}`)))));
      }
      await eventually("all are connected", () => drones.every((drone) => drone.welcomes === 1), { seconds: 60, programs: rig.programs() });
      const run = await rig.stream(lorem({ tokens: 400, rate: 50 }), 440);
      await streaming(rig, run.turnId, 200);
      await rig.code.program.kill("SIGKILL");
      await rig.startCode();
      const ready = Date.now();
      await eventually("all are back", () => drones.every((drone) => drone.welcomes >= 2), { seconds: 60, programs: rig.programs() });
      const took = Date.now() - ready;
      const result = await rig.finish(run);
      if (took > 15_000) result.faults.push(`it took ${took} ms until all were back`);
      return result;
    },
  },
};

/** KILLS, which is all of them at once, comes last. */
const number = (name) => Number(name.slice(1)) || Number.MAX_VALUE;

/** All of them, in the order of their numbers. */
export const SCENARIOS = Object.fromEntries(
  Object.entries({ ...PROGRAM_SCENARIOS, ...STORE_SCENARIOS, ...PROVIDER_SCENARIOS, ...READER_SCENARIOS, ...DRONE_SCENARIOS, ...CANCEL_SCENARIOS }).sort(([a], [b]) => number(a) - number(b)),
);
