// Drones that misbehave, and processes that are killed at any moment.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, makeSession } from "../lib/processes.mjs";
import { SimulatedDrone } from "./simulated-drone.mjs";
import { lorem, pause, streaming } from "./steps.mjs";

const TOKENS = 300;

/** A simulated drone that has begun a turn, and the run of that turn. */
async function working(rig, name, tokens) {
  const drone = await SimulatedDrone.enrol(rig, name);
  await eventually("it is welcome", () => drone.welcomes > 0);
  const session = await makeSession(rig.call, { baseUrl: rig.provider.openai, workspaceId: drone.workspaceId });
  const run = await rig.stream("says it itself", tokens, session);
  await drone.begun();
  return { drone, run };
}

/** Numbered tokens in frames of one to ten; entry n+1 holds token n. */
function frames(rig, count) {
  const all = [[{ type: "round_started", seq: 1, round: 1 }]];
  for (let token = 1; token <= count; ) {
    const frame = [];
    for (let size = 1 + Math.floor(rig.random() * 10); size > 0 && token <= count; size -= 1, token += 1) {
      frame.push({ type: "response", seq: token + 1, content: `~${token}~ ` });
    }
    all.push(frame);
  }
  const usage = { inputTokens: 1, outputTokens: count, thinkingTokens: 0 };
  all.push([{ type: "work_order_complete", seq: count + 2, status: "finished", usage }]);
  return all;
}

const VICTIMS = ["drone", "code", "both"];

export const DRONE_SCENARIOS = {
  F18: {
    what: "the same frames again and again, and a whole replay after a cut",
    async run(rig) {
      const { drone, run } = await working(rig, "echo", TOKENS);
      const all = frames(rig, TOKENS);
      const cut = Math.floor(all.length / 2);
      for (let at = 0; at < all.length; at += 1) {
        drone.report(all[at]);
        if (at < all.length - 1 && rig.random() < 0.4) drone.report(all[Math.floor(rig.random() * (at + 1))]);
        if (at === cut) {
          await drone.reconnect();
          for (const frame of all.slice(0, at + 1)) drone.report(frame);
        }
        await pause(5);
      }
      return rig.finish(run);
    },
  },
  F19: {
    what: "a drone that leaves numbers out and swaps frames, beside one that does not",
    async run(rig) {
      const own = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, own.turnId, 20);
      const { drone, run } = await working(rig, "gaps", undefined);
      const all = frames(rig, TOKENS);
      const faults = [];
      drone.report(all[0]);
      drone.report(all[2]);
      drone.report(all[1]);
      // What comes after a gap is not taken; asked for again, it comes in the right order.
      const asked = () => drone.commands.filter((command) => command.type === "resend_work");
      await eventually("the missing is asked for", () => asked().length > 0, { seconds: 5 });
      if (asked()[0].fromSeq !== 2) faults.push(`it was asked for from ${asked()[0].fromSeq} on, not from 2`);
      for (const frame of all.slice(1, 6)) drone.report(frame);
      const missing = all[6][0].seq;
      const ended = async () => (await rig.turn(run.turnId)).status === "failed";
      for (const until = Date.now() + 30_000; Date.now() < until && !(await ended()); await pause(300)) drone.report(all[7]);
      const turn = await rig.turn(run.turnId);
      if (turn.error?.code !== "sequence_gap") faults.push(`it ended as ${turn.status} (${JSON.stringify(turn.error)})`);
      const tries = asked().filter((command) => command.fromSeq === missing).length;
      if (tries !== 3) faults.push(`the missing was asked for ${tries} times`);
      const partial = await rig.finish(run, "failed");
      const result = await rig.finish(own);
      result.faults.push(...faults, ...partial.faults);
      return result;
    },
  },
  KILLS: {
    what: "drone, code service or both killed at any moment of any turn, and started again",
    async run(rig) {
      const effects = join(rig.workspace, "effects.txt");
      const [prompt, tokens] = [
        [lorem({ tokens: 200, rate: 100 }), 240],
        ['[[run command="echo once >> effects.txt; sleep 1"]]', undefined],
        ["Please leave a note.", undefined],
      ][Math.floor(rig.random() * 3)];
      const victim = VICTIMS[Math.floor(rig.random() * VICTIMS.length)];
      const run = await rig.stream(prompt, tokens);
      await pause(rig.random() * 3000);
      if (victim !== "code") await rig.drone.kill("SIGKILL");
      if (victim !== "drone") await rig.code.program.kill("SIGKILL");
      await pause(rig.random() * 1500);
      if (victim !== "drone") await rig.startCode();
      if (victim !== "code") await rig.startDrone();
      const result = await rig.finish(run);
      result.effects = existsSync(effects) ? readFileSync(effects, "utf8").trim().split("\n").length : 0;
      if (result.effects > 1) result.faults.push(`the command had its effect ${result.effects} times`);
      return result;
    },
  },
};
