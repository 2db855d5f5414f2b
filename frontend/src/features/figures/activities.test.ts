import { describe, expect, test } from "vitest";
import type { Activity } from "../../protocol/messages.gen";
import { percents, scaleTop, totalOf, transitions } from "./activities";

const timeline = (...activities: Activity[]) =>
  activities.map((activity, index) => ({ activity, fromMillis: index * 10, millis: 10 }));

describe("S0-30: figures of a turn", () => {
  test("shares are whole percents that add up", () => {
    expect(percents([1, 1, 1])).toEqual([34, 33, 33]);
    expect(percents([999, 1])).toEqual([100, 0]);
    expect(percents([0, 0])).toEqual([0, 0]);
    const many = percents([13, 7, 29, 3, 41, 5]);
    expect(many.reduce((one, other) => one + other)).toBe(100);
  });

  test("times add up to the whole", () => {
    expect(totalOf({ thinking: 1, responding: 2, tool: 3, person: 4, waiting: 5 })).toBe(15);
  });

  test("transitions are counted by what they lead from and to", () => {
    expect(transitions(timeline("waiting", "thinking", "tool", "tool", "thinking", "tool"))).toEqual([
      { from: "thinking", to: "tool", count: 2 },
      { from: "waiting", to: "thinking", count: 1 },
      { from: "tool", to: "thinking", count: 1 },
    ]);
    expect(transitions([])).toEqual([]);
  });

  test("a scale ends at a round number", () => {
    expect([0, 1, 3, 7, 10, 11, 4_200].map(scaleTop)).toEqual([1, 1, 5, 10, 10, 20, 5_000]);
  });
});
