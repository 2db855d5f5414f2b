// What a turn does at a moment, in the words and colours of the plots.
import type { Activity, ActivityTimes, Stretch } from "../../protocol/messages.gen";

export interface Look {
  words: string;
  /** Where there is little place. */
  short: string;
  fill: string;
  swatch: string;
}

/** In the order in which they are drawn, from the bottom up. */
export const ACTIVITIES: Record<Activity, Look> = {
  thinking: { words: "Thinking", short: "Thinking", fill: "fill-plot-thinking", swatch: "bg-plot-thinking" },
  responding: {
    words: "Responding",
    short: "Responding",
    fill: "fill-plot-responding",
    swatch: "bg-plot-responding",
  },
  tool: { words: "Tools", short: "Tools", fill: "fill-plot-tool", swatch: "bg-plot-tool" },
  person: {
    words: "Waiting for a person",
    short: "Person",
    fill: "fill-plot-person",
    swatch: "bg-plot-person",
  },
  waiting: {
    words: "Waiting for drone or model",
    short: "Waiting",
    fill: "fill-plot-waiting",
    swatch: "bg-plot-waiting",
  },
};

export const ACTIVITY_NAMES = Object.keys(ACTIVITIES) as Activity[];

export function totalOf(times: ActivityTimes): number {
  return ACTIVITY_NAMES.reduce((sum, name) => sum + times[name], 0);
}

/** Shares of the whole in percent that add up to 100, or are all 0. */
export function percents(values: readonly number[]): number[] {
  const sum = values.reduce((one, other) => one + other, 0);
  if (sum <= 0) return values.map(() => 0);
  const exact = values.map((value) => (value * 100) / sum);
  const whole = exact.map(Math.floor);
  let left = 100 - whole.reduce((one, other) => one + other, 0);
  // What is missing goes to those that lost most.
  const byLoss = exact
    .map((value, index) => ({ index, loss: value - Math.floor(value) }))
    .sort((one, other) => other.loss - one.loss);
  for (const { index } of byLoss) {
    if (left <= 0) break;
    whole[index] = (whole[index] ?? 0) + 1;
    left -= 1;
  }
  return whole;
}

/** From one thing that it did to another, and how often, the most frequent first. */
export function transitions(timeline: readonly Stretch[]): { from: Activity; to: Activity; count: number }[] {
  const found = new Map<string, { from: Activity; to: Activity; count: number }>();
  timeline.slice(1).forEach((stretch, index) => {
    const from = (timeline[index] as Stretch).activity;
    const to = stretch.activity;
    if (from === to) return;
    const known = found.get(`${from} ${to}`);
    if (known) known.count += 1;
    else found.set(`${from} ${to}`, { from, to, count: 1 });
  });
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** A round number not below this one, for the top of a scale. */
export function scaleTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}
