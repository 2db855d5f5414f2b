import { describe, expect, test } from "vitest";
import { money } from "./figures";

describe("figures as people read them", () => {
  test("what a turn cost is said in dollars, with small sums told apart", () => {
    expect(money(0.00191)).toBe("$0.0019");
    expect(money(12)).toBe("$12.0000");
  });
});
