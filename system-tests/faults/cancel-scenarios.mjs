// A person's Stop, at every moment that a turn has.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../lib/processes.mjs";
import { lorem, pause, streaming } from "./steps.mjs";

/** What a person is promised is 2 s; as much again is for a machine that several runs share. One that stood still gets another try. */
const LONGEST_MILLIS = 4000;

const talk = lorem({ tokens: 3000, rate: 100 });

const signal = (rig, name) => process.kill(rig.drone.pid, name);

async function inText(rig) {
  const run = await rig.stream(talk, undefined);
  await streaming(rig, run.turnId, 100 + rig.random() * 500);
  return run;
}

/** Each leaves the turn where it is to be cancelled, and says what has to happen before all can be as it was. */
const MOMENTS = {
  async "before the drone has taken it"(rig) {
    signal(rig, "SIGSTOP");
    const run = await rig.stream(talk, undefined);
    await pause(rig.random() * 500);
    return { run, after: () => signal(rig, "SIGCONT") };
  },
  async "right after the prompt"(rig) {
    const run = await rig.stream(talk, undefined);
    await pause(rig.random() * 300);
    return { run };
  },
  async "in its text"(rig) {
    return { run: await inText(rig) };
  },
  async "in a command that will not end"(rig) {
    const began = join(rig.workspace, "began.txt");
    rmSync(began, { force: true });
    const run = await rig.stream("[[run command=\"touch began.txt; setsid sleep 600 & trap '' TERM INT; sleep 600; sleep 600\"]]", undefined);
    await eventually("the command runs", () => existsSync(began), { seconds: 30, programs: rig.programs() });
    await pause(rig.random() * 300);
    return { run };
  },
  async "while its drone is frozen"(rig) {
    const run = await inText(rig);
    signal(rig, "SIGSTOP");
    return { run, after: () => signal(rig, "SIGCONT") };
  },
  async "while its drone is away"(rig) {
    const run = await inText(rig);
    await rig.drone.kill("SIGKILL");
    await pause(rig.random() * 1000);
    return { run, after: () => rig.startDrone() };
  },
  async "after its end"(rig) {
    const run = await rig.stream(lorem({ tokens: 20, rate: 100 }), undefined);
    await eventually("it has ended", async () => (await rig.turn(run.turnId)).status === "finished", { seconds: 30, programs: rig.programs() });
    return { run, status: "finished" };
  },
};

async function cancelled(rig, moment) {
  const { run, status = "cancelled", after } = await MOMENTS[moment](rig);
  const asked = Date.now();
  await rig.call("POST", `/turns/${run.turnId}/cancel`, {});
  await eventually("it has ended", async () => (await rig.turn(run.turnId)).status === status, { seconds: 30, programs: rig.programs() });
  const took = Date.now() - asked;
  await after?.();
  return { ...(await rig.finish(run, status)), took };
}

export const CANCEL_SCENARIOS = {
  F31: {
    what: "cancelled before it is taken, in text, in a tool, with its drone frozen or away, after its end",
    async run(rig) {
      const all = { tokens: 0, lost: 0, duplicated: 0, reordered: 0, faults: [] };
      for (const moment of Object.keys(MOMENTS)) {
        const tries = [await cancelled(rig, moment)];
        if (tries[0].took > LONGEST_MILLIS) tries.push(await cancelled(rig, moment));
        for (const one of tries) {
          for (const count of ["tokens", "lost", "duplicated", "reordered"]) all[count] += one[count];
          all.faults.push(...one.faults.map((fault) => `cancelled ${moment}: ${fault}`));
        }
        const { took } = tries.at(-1);
        if (took > LONGEST_MILLIS) all.faults.push(`cancelled ${moment}: it took ${took} ms`);
      }
      return all;
    },
  },
};
