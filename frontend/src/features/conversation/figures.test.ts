import { describe, expect, test } from "vitest";
import { clock, duration, money } from "./figures";

describe("figures as people read them", () => {
  test("a time is rounded before it is cut into hours, minutes and seconds", () => {
    expect([0, 999.4, 999.6, 1_000, 9_940, 9_960, 59_400, 59_600].map(duration)).toEqual([
      "0 ms",
      "999 ms",
      "1.0 s",
      "1.0 s",
      "9.9 s",
      "10 s",
      "59 s",
      "1 min 0 s",
    ]);
    expect([119_600, 3_599_400, 3_599_700, 7_260_000].map(duration)).toEqual([
      "2 min 0 s",
      "59 min 59 s",
      "1 h 0 min",
      "2 h 1 min",
    ]);
  });

  test("what still counts has whole seconds, and hours", () => {
    expect([0, 7, 60, 3_725].map(clock)).toEqual(["0 s", "7 s", "1 min 0 s", "1 h 2 min"]);
  });

  test("what a turn cost is said in dollars, with small sums told apart", () => {
    expect(money(0.00191)).toBe("$0.0019");
    expect(money(12)).toBe("$12.0000");
  });
});
