// What a model endpoint does wrong: every case is a turn of its own, with the end that is due.
import { pause, sentences } from "./steps.mjs";

/** Runs one prompt after the other and compares each end with the one that is due: a status, and a code when it failed. */
function cases(list) {
  return async (rig) => {
    const sum = { tokens: 0, lost: 0, duplicated: 0, reordered: 0, faults: [] };
    for (const [prompt, status, code] of list) {
      const run = await rig.stream(prompt, undefined);
      const result = await rig.finish(run, status);
      const turn = await rig.turn(run.turnId);
      if (code && turn.error?.code !== code) result.faults.push(`failed as ${turn.error?.code}, not as ${code}`);
      if (status === "failed" && !sentences(turn.error?.message)) result.faults.push(`no sentence: ${turn.error?.message}`);
      sum.tokens += result.tokens;
      for (const key of ["lost", "duplicated", "reordered"]) sum[key] += result[key];
      sum.faults.push(...result.faults.map((fault) => `${prompt}: ${fault}`));
    }
    return sum;
  };
}

const failing = (names, code) => names.map((name) => [`[[fault ${name}]]`, "failed", code]);
const working = (names) => names.map((name) => [`[[fault ${name}]]`, "finished"]);

export const PROVIDER_SCENARIOS = {
  F23: {
    what: "the provider falls silent",
    droneEnv: { GADGET_DRONE_PROVIDER_FIRST_EVENT: "PT3S", GADGET_DRONE_PROVIDER_NEXT_EVENT: "PT3S" },
    run: cases(failing(["silent-before-headers", "silent-after-headers", "silent-midstream", "only-keepalive"])),
  },
  F24: {
    what: "the provider refuses for a moment, or for good",
    run: cases([
      ["[[fault 429-retry times=1]]", "finished"],
      ["[[fault 500 times=1]]", "finished"],
      ["[[fault 503 times=2]]", "finished"],
      ["[[fault reset-before-headers times=1]]", "finished"],
      ["[[fault 401]]", "failed", "provider_unauthorized"],
      ["[[fault 404-model]]", "failed"],
      ["[[fault 400]]", "failed"],
    ]),
  },
  F25: {
    what: "the provider's stream is cut",
    async run(rig) {
      const result = await cases(failing(["reset-midstream", "drop-midstream", "missing-finish", "cut-in-utf8", "cut-in-call"]))(rig);
      await pause(200);
      return result;
    },
  },
  F26: {
    what: "the provider's format is odd, or wrong",
    run: cases([
      ...working(["odd-chunks", ...["fragments", "interleaved", "same-id", "no-id", "no-index", "empty-arguments"].map((name) => `calls-${name} times=1`)]),
      ...failing(["malformed", "not-json"]),
    ]),
  },
  F27: {
    what: "the provider answers 200 with something else",
    run: cases([...failing(["error-in-200", "html-in-200", "html-as-stream", "error-midstream", "error-event"]), ...working(["gzip", "long-line"])]),
  },
};
