import { describe, expect, it } from "vitest";
import { limitWords, readLimits, writeLimits } from "./limits";

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

  it("are said in a sentence", () => {
    expect(limitWords({})).toBe("None.");
    expect(limitWords({ maxRounds: 1 })).toBe("At most 1 round.");
    expect(limitWords({ maxRounds: 60, maxSeconds: 5400, maxOutputTokens: 20000, maxCost: 0.5 })).toBe(
      "At most 60 rounds, 90 minutes, 20,000 output tokens and $0.5.",
    );
    expect(limitWords({ maxRounds: 60, maxSessionOutputTokens: 9000, maxSessionCost: 5 })).toBe(
      "At most 60 rounds, 9,000 output tokens in all turns together and $5 for all turns together.",
    );
  });
});
