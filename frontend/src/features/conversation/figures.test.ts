import { describe, expect, it, test } from "vitest";
import { clock, duration, isHtml, money, resultPreview } from "./figures";

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

it.each([
  ["", ""],
  ["\n\n  Replaced `a.txt`: 3 lines.\nmore", "Replaced `a.txt`: 3 lines."],
  ["Exit code 0.\n\n42 tests passed\n", "42 tests passed"],
  ["Exit code 0.\n", "Exit code 0."],
  ["Exit code 2.\nno such file", "Exit code 2. no such file"],
  ['---\n{\n  "name": 1', '"name": 1'],
  ["---", "---"],
  ["<!DOCTYPE html>\n<html><head>\n<title>Hi</title>", "(HTML)"],
  ["Exit code 0.\n<html lang=en>", "(HTML)"],
  [`${"x".repeat(500)}\nnext`, "x".repeat(200)],
])("S4-35: the first line that says something stands for a result: %j", (text, line) => {
  expect(resultPreview(text)).toBe(line);
});

it("S4-36: a page is known by how it begins", () => {
  expect(isHtml("\n <!doctype HTML public>")).toBe(true);
  expect(isHtml("<html>")).toBe(true);
  expect(isHtml("<htmlx>")).toBe(false);
  expect(isHtml("see <html>")).toBe(false);
});
