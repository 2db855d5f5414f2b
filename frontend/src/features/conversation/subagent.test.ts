import { describe, expect, test } from "vitest";
import type { BlockUnion, ToolCall } from "../../protocol/messages.gen";
import { beforeAnswer, callsIn, isSubagent, stepOf } from "./subagent";

const AT = "2026-11-20T10:00:00Z";
const says = (mode: "thinking" | "responding", content: string, part: Partial<BlockUnion> = {}) =>
  ({ mode, index: 0, createdAt: AT, closedAt: AT, parent: "d", content, ...part }) as BlockUnion;
const calls = (name: string, parameters: ToolCall["parameters"], closedAt?: string) =>
  ({
    mode: "tool",
    index: 0,
    createdAt: AT,
    closedAt,
    parent: "d",
    content: { callId: name, name, parameters, state: "running" },
  }) as BlockUnion;

describe("S0-52: a subagent in few words", () => {
  test("is what it does now: what is open, else what it did last", () => {
    expect(stepOf([])).toEqual({ words: "Begins …" });
    expect(stepOf([says("thinking", "Hm.", { closedAt: undefined })])).toEqual({ words: "Thinking …" });
    expect(stepOf([calls("grep", { pattern: "a\nb" }), calls("read_file", { path: "a.txt" }, AT)])).toEqual({
      tool: "grep",
      words: "a b",
    });
    expect(
      stepOf([calls("grep", { pattern: "a" }, AT), says("responding", "First.\n- In **`a.ts`**.\n\n")]),
    ).toEqual({
      words: "In a.ts.",
    });
  });

  test("is how many calls it made", () => {
    expect(callsIn([says("thinking", "Hm."), calls("grep", {}), calls("grep", {}, AT)])).toBe(2);
  });

  test("is the call of the tool for it, unless that has its story as text, as it was before", () => {
    const call = { callId: "d", name: "delegate", parameters: {}, state: "done" } as const;
    expect(isSubagent(call)).toBe(true);
    expect(isSubagent({ ...call, output: "▸ grep" })).toBe(false);
    expect(isSubagent({ ...call, name: "grep" })).toBe(false);
  });
});

describe("S0-52: the answer of a subagent is not said twice", () => {
  const round = [says("responding", "I look."), calls("grep", {}, AT), says("thinking", "So.")];

  test("it is what was said after the last call, however it came", () => {
    const cut = says("responding", "In a", { superseded: true });
    const story = [...round, cut, says("responding", "In a.txt"), says("responding", ".\n")];
    expect(beforeAnswer(story, "In a.txt.")).toEqual([...round, cut]);
  });

  test("where the call answers otherwise, the story stays whole", () => {
    expect(
      beforeAnswer([...round, says("responding", "In a.")], "The subagent did not come to an end."),
    ).toBe(undefined);
    expect(beforeAnswer(round, "I look.")).toBe(undefined);
  });
});
