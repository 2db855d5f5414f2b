// What befalls the store while a turn runs. It is a process of its own here, behind a proxy.
import { eventually } from "../lib/processes.mjs";
import { heldBy, lorem, pause, streaming } from "./steps.mjs";

function away(seconds) {
  return async (rig) => {
    // Thinking ends while the store is away: the change of mode is what cannot be stored.
    const tokens = seconds * 50;
    const run = await rig.stream(lorem({ tokens, thinking: 300, rate: 50 }), tokens + 300);
    const news = rig.news();
    await streaming(rig, run.turnId, 200);
    rig.store.freeze();
    const before = heldBy(run.readers[0]);
    await pause(seconds * 1000);
    const during = heldBy(run.readers[0]) - before;
    const told = news.some((event) => event.type === "durability_changed" && event.saved === false);
    rig.store.thaw();
    const result = await rig.finish(run);
    if (during < seconds * 50) result.faults.push(`only ${during} characters came while the store was away`);
    if (!told) result.faults.push("the page was not told that nothing is saved");
    await eventually("the page is told that all is saved", () => news.findLast((event) => event.type === "durability_changed")?.saved === true, { seconds: 20 }).catch(
      (error) => result.faults.push(error.message.split("\n")[0]),
    );
    return result;
  };
}

export const STORE_SCENARIOS = {
  F5: {
    what: "code service killed between a write and its acknowledgement",
    ownStore: true,
    async run(rig) {
      const run = await rig.stream(lorem({ tokens: 300, rate: 100 }), 340);
      await streaming(rig, run.turnId, 200);
      // Writes go in, their answers are lost, and nobody gets an acknowledgement.
      rig.storeProxy.blackHole("down");
      await pause(300 + rig.random() * 700);
      await rig.code.program.kill("SIGKILL");
      rig.storeProxy.reset();
      rig.storeProxy.heal();
      await rig.startCode();
      return rig.finish(run);
    },
  },
  F8: { what: "the store away for 30 s", ownStore: true, run: away(30) },
  F9: {
    what: "every answer of the store takes half a second, and connections to it break",
    ownStore: true,
    async run(rig) {
      rig.storeProxy.latency(250, 50);
      const run = await rig.stream(lorem({ tokens: 200, rate: 50 }), 240);
      await streaming(rig, run.turnId, 100);
      rig.storeProxy.reset();
      await pause(500 + rig.random() * 1000);
      rig.storeProxy.reset();
      const result = await rig.finish(run);
      rig.storeProxy.heal();
      return result;
    },
  },
};
