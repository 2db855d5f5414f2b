// A conversation as a feed sends it, for tests.
import type { ToolCall, Turn, TurnChangeUnion, TurnStats, Usage } from "../protocol/messages.gen";

const AT = "2026-11-20T10:00:00Z";
const usage: Usage = { inputTokens: 812, outputTokens: 64, thinkingTokens: 21 };
const stats: TurnStats = {
  modeTransitions: 3,
  rounds: 2,
  textChars: 60,
  thinkingTokenCount: 21,
  toolCallCount: 1,
  toolFailures: 0,
};

export const emptyTurn: Turn = {
  id: "t1",
  sessionId: "s1",
  prompt: "Greet me from a file.",
  status: "queued",
  provider: "demo",
  model: "scripted",
  reasoningEffort: "medium",
  blocks: [],
  toolCalls: [],
  usage: { inputTokens: 0, outputTokens: 0, thinkingTokens: 0 },
  stats: {
    modeTransitions: 0,
    rounds: 0,
    textChars: 0,
    thinkingTokenCount: 0,
    toolCallCount: 0,
    toolFailures: 0,
  },
  createdAt: AT,
};

const call: ToolCall = {
  callId: "c1",
  name: "run_command",
  parameters: { command: "cat hello.txt" },
  state: "awaiting_approval",
};

const text = (
  index: number,
  mode: "thinking" | "responding",
  offset: number,
  words: string,
): TurnChangeUnion => ({ kind: "text_delta", index, mode, offset, text: words, createdAt: AT });

/** One turn with everything that a turn can have, step by step. */
export const recorded: readonly TurnChangeUnion[] = [
  { kind: "snapshot", turn: emptyTurn },
  { kind: "status", status: "processing" },
  {
    kind: "retrying",
    attempt: 1,
    delayMillis: 500,
    failure: { code: "rate_limited", message: "Too many requests." },
  },
  text(0, "thinking", 0, "The file "),
  text(0, "thinking", 9, "says it. 👋🏽"),
  { kind: "block_closed", index: 0, closedAt: AT },
  text(1, "responding", 0, "I will look"),
  { kind: "block_closed", index: 1, closedAt: AT },
  { kind: "block_superseded", index: 1 },
  { kind: "tool_state", index: 2, createdAt: AT, content: call },
  { kind: "awaiting_confirmation", index: 2, callId: "c1", reason: "It runs a command." },
  { kind: "status", status: "awaiting_approval" },
  { kind: "tool_state", index: 2, createdAt: AT, content: { ...call, state: "running", startedAt: AT } },
  { kind: "status", status: "processing" },
  { kind: "tool_output", index: 2, offset: 0, text: "hello\n" },
  { kind: "tool_output", index: 2, offset: 6, text: "world\n" },
  {
    kind: "tool_state",
    index: 2,
    createdAt: AT,
    closedAt: AT,
    content: { ...call, state: "done", startedAt: AT, finishedAt: AT, response: "exit code 0" },
  },
  text(3, "responding", 0, "It says **hello"),
  text(3, "responding", 15, " world**.\nAnything else?"),
  { kind: "usage", usage, stats },
  { kind: "block_closed", index: 3, closedAt: AT },
  {
    kind: "files_changed",
    files: {
      files: [{ path: "hello.txt", kind: "added", added: 1, removed: 0 }],
      total: 1,
      diff: "--- /dev/null\n+++ b/hello.txt\n@@ -0,0 +1 @@\n+hello\n",
      cut: false,
      undone: false,
    },
  },
  { kind: "done", status: "finished", usage, stats, finishedAt: AT },
];

const delegated = (callId: string, task: string, part: Partial<ToolCall> = {}): ToolCall => ({
  callId,
  name: "delegate",
  parameters: { task },
  state: "running",
  startedAt: AT,
  ...part,
});

const nestedCall = (state: ToolCall["state"], part: Partial<ToolCall> = {}): ToolCall => ({
  callId: "a1",
  name: "read_file",
  parameters: { path: "cart.ts" },
  state,
  ...part,
});

/** As `text`, by the subagent of a call: only the beginning of a block says whose it is. */
const nestedText = (
  parent: string,
  index: number,
  mode: "thinking" | "responding",
  offset: number,
  words: string,
): TurnChangeUnion => ({
  kind: "text_delta",
  index,
  mode,
  offset,
  text: words,
  ...(offset === 0 ? { createdAt: AT, parent } : {}),
});

/** A turn that has two subagents at work at once, step by step: texts of both grow side by side, with calls behind them. */
export const recordedNested: readonly TurnChangeUnion[] = [
  { kind: "snapshot", turn: emptyTurn },
  { kind: "status", status: "processing" },
  text(0, "responding", 0, "Two look."),
  { kind: "block_closed", index: 0, closedAt: AT },
  { kind: "tool_state", index: 1, createdAt: AT, content: delegated("d1", "Read the cart.") },
  { kind: "tool_state", index: 2, createdAt: AT, content: delegated("d2", "Read the basket.") },
  nestedText("d1", 3, "thinking", 0, "Which "),
  nestedText("d2", 4, "thinking", 0, "Where is"),
  nestedText("d1", 3, "thinking", 6, "file? 👋🏽"),
  nestedText("d2", 4, "thinking", 8, " it"),
  { kind: "block_closed", index: 3, closedAt: AT },
  { kind: "tool_state", index: 5, createdAt: AT, content: nestedCall("queued"), parent: "d1" },
  {
    kind: "tool_state",
    index: 5,
    createdAt: AT,
    content: nestedCall("running", { startedAt: AT }),
    parent: "d1",
  },
  nestedText("d2", 4, "thinking", 11, "?"),
  { kind: "tool_output", index: 5, offset: 0, text: "let " },
  { kind: "block_closed", index: 4, closedAt: AT },
  nestedText("d2", 6, "responding", 0, "It is "),
  { kind: "tool_output", index: 5, offset: 4, text: "total" },
  {
    kind: "tool_state",
    index: 5,
    createdAt: AT,
    closedAt: AT,
    content: nestedCall("done", { startedAt: AT, finishedAt: AT, response: "let total" }),
    parent: "d1",
  },
  { kind: "block_superseded", index: 6 },
  { kind: "block_closed", index: 6, closedAt: AT },
  nestedText("d1", 7, "responding", 0, "In **cart"),
  nestedText("d2", 8, "responding", 0, "There is "),
  nestedText("d1", 7, "responding", 9, ".ts**."),
  { kind: "block_closed", index: 7, closedAt: AT },
  {
    kind: "tool_state",
    index: 1,
    createdAt: AT,
    closedAt: AT,
    content: delegated("d1", "Read the cart.", {
      state: "done",
      finishedAt: AT,
      response: "In **cart.ts**.",
    }),
  },
  nestedText("d2", 8, "responding", 9, "none."),
  { kind: "block_closed", index: 8, closedAt: AT },
  {
    kind: "tool_state",
    index: 2,
    createdAt: AT,
    closedAt: AT,
    content: delegated("d2", "Read the basket.", {
      state: "done",
      finishedAt: AT,
      response: "There is none.",
    }),
  },
  text(9, "responding", 0, "It is in "),
  text(9, "responding", 9, "cart.ts."),
  { kind: "block_closed", index: 9, closedAt: AT },
  { kind: "done", status: "finished", usage, stats, finishedAt: AT },
];
