// What the kernel knows of a process: CPU time, memory, threads. Linux only, where the benchmark runs.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

const TICKS_PER_SECOND = 100;

/** User and system CPU seconds that the process has used. */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory in MiB, now and at its highest. */
export function memoryMiB(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { now: of("VmRSS"), peak: of("VmHWM") };
}

/** Seconds that all cores together were busy, everything included. */
export function busySeconds() {
  const [, user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/).map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

/** What share of the time the machine below gave the cores to others, from a moment on: a function that says it in percent. */
export function stolenSince() {
  const read = () => ({ at: performance.now(), stolen: Number(readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/)[8]) / TICKS_PER_SECOND });
  const before = read();
  return () => {
    const now = read();
    return ((now.stolen - before.stolen) / (((now.at - before.at) / 1000) * cpus().length)) * 100;
  };
}

/** The value below which the given share of the samples lies. */
export function quantile(sorted, share) {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
