import { describe, expect, it } from "vitest";
import { readLimits, writeLimits } from "./limits";

describe("limits in a form", () => {
  it("are written in minutes and read in seconds; an empty one is none", () => {
    const texts = writeLimits({ maxRounds: 60, maxSeconds: 3600, maxEqualCalls: 4 });
    expect(texts).toMatchObject({ maxRounds: "60", maxSeconds: "60", maxCost: "", maxEqualCalls: "4" });
    expect(readLimits({ ...texts, maxSeconds: "1,5", maxCost: "0.25", maxRounds: "" })).toEqual({
      maxSeconds: 90,
      maxCost: 0.25,
      maxEqualCalls: 4,
    });
  });

  it("are refused where one is no number above 0", () => {
    const texts = writeLimits({});
    expect(readLimits({ ...texts, maxRounds: "many" })).toBeUndefined();
    expect(readLimits({ ...texts, maxCost: "0" })).toBeUndefined();
  });
});
