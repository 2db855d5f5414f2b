import { describe, expect, test } from "vitest";
import { sentBefore, step } from "./history";

const sent = sentBefore(["one", "two", "two", "three"]);

describe("prompts that were sent before", () => {
  test("come the latest first, a repeated one once", () => {
    expect(sent).toEqual(["three", "two", "one"]);
  });

  test("up from an empty box goes back, down comes forward to the empty box", () => {
    const first = step(sent, null, "", "ArrowUp");
    expect(first).toEqual({ at: 0, text: "three" });
    const second = step(sent, first, "three", "ArrowUp");
    expect(second).toEqual({ at: 1, text: "two" });
    expect(step(sent, second, "two", "ArrowDown")).toEqual({ at: 0, text: "three" });
    expect(step(sent, first, "three", "ArrowDown")).toEqual({ at: -1, text: "" });
  });

  test("a text that was typed or changed keeps its arrow keys", () => {
    expect(step(sent, null, "typed", "ArrowUp")).toBeNull();
    expect(step(sent, { at: 0, text: "three" }, "three and more", "ArrowUp")).toBeNull();
    expect(step(sent, null, "", "ArrowDown")).toBeNull();
  });

  test("at the oldest one it stays, and nothing was sent is nothing", () => {
    const last = { at: 2, text: "one" };
    expect(step(sent, last, "one", "ArrowUp")).toEqual(last);
    expect(step([], null, "", "ArrowUp")).toBeNull();
  });
});
