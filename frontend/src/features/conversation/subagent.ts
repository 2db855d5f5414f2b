// What is told of a subagent by what it did.
import type { BlockUnion, ToolCall } from "../../protocol/messages.gen";
import type { Blocks } from "../../turn/stories";
import { argumentPreview } from "./figures";

/** As much of what it says as is looked at for its last line. */
const LOOKED_AT_CHARS = 400;

/** Whether a call has a subagent at work; one of before stories were told has its story as text in its output. */
export function isSubagent(call: ToolCall): boolean {
  return call.name === "delegate" && !call.output;
}

export function taskOf(call: ToolCall): string {
  return argumentPreview(call.parameters);
}

/** What it does at present, or did last: a tool with what it is about, or words. */
export interface Step {
  tool?: string;
  words: string;
}

export function stepOf(story: Blocks): Step {
  const block = story.findLast((one) => !one.closedAt) ?? story.at(-1);
  if (!block) return { words: "Begins …" };
  switch (block.mode) {
    case "tool":
      return { tool: block.content.name, words: argumentPreview(block.content.parameters) };
    case "thinking":
      return { words: "Thinking …" };
    case "responding":
    case "prompt":
      return { words: lastLine(block.content) };
  }
}

function lastLine(text: string): string {
  const lines = text.slice(-LOOKED_AT_CHARS).split("\n");
  return withoutMarks(lines.findLast((line) => line.trim() !== "") ?? "");
}

/** A line of Markdown as it is read. */
export function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^([-*+>]|#+|\d+\.)\s+/, "")
    .replaceAll(/\*\*|`+/g, "");
}

export function callsIn(story: Blocks): number {
  return story.filter((block) => block.mode === "tool").length;
}

/** The story without its last words, where those are the answer of the call; undefined when they are not. */
export function beforeAnswer(story: Blocks, answer: string): Blocks | undefined {
  const lastRound = story.findLastIndex((block) => block.mode === "tool") + 1;
  const isLastWord = (block: BlockUnion, at: number) =>
    at >= lastRound && block.mode === "responding" && !block.superseded;
  const words = story.filter(isLastWord).map((block) => block.content);
  return words.join("").trim() === answer.trim()
    ? story.filter((block, at) => !isLastWord(block, at))
    : undefined;
}
