// Another relay's benchmark, run in its own folder beside ours, so that both are measured on one machine in one run.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * One case of the benchmark in `folder`: a `bench.mjs` that takes the load after `--` and writes `results/NAME.json`.
 * Its figures in the columns of ours.
 */
export function runPeer(folder, name, { drones, rate, window }, { seconds, warmup }) {
  const load = rate ? ["--rate", String(rate)] : ["--mode", "window", "--window", String(window)];
  const argv = ["bench.mjs", "--name", `gadget-${name}`, "--mongo", "standin", "--", "--drones", String(drones), ...load];
  const ended = spawnSync("node", [...argv, "--seconds", String(seconds + warmup), "--warmup", String(warmup)], { cwd: folder, encoding: "utf8" });
  if (ended.status !== 0) throw new Error(`the peer's benchmark ended with ${ended.status}: ${ended.stderr}${ended.stdout}`);
  const { tokensPerSecond, latency, cpu, rssMiB, integrity, persisted } = JSON.parse(readFileSync(join(folder, "results", `gadget-${name}.json`), "utf8"));
  return {
    case: `${name} (peer)`,
    tokensPerSecond,
    p50Millis: latency.p50_ms,
    p99Millis: latency.p99_ms,
    cpuSecondsPerMillionTokens: cpu.serverCpuSecondsPerMillionTokens,
    rssIdleMiB: rssMiB.idle,
    rssPeakMiB: rssMiB.peak,
    kibPerConnection: drones > 1 ? rssMiB.perConnectionKiB : null,
    lost: integrity.missing,
    outOfOrder: integrity.outOfOrder,
    storedWrong: persisted.missing + persisted.dup + persisted.outOfOrder,
  };
}
