import type { ApprovalPolicy, ReasoningEffort } from "../../protocol/messages.gen";

export const EFFORT_WORDS: Record<ReasoningEffort, string> = {
  off: "Off",
  low: "Low",
  medium: "Medium",
  high: "High",
};

export const POLICY_WORDS: Record<ApprovalPolicy, string> = {
  auto: "Works on its own",
  auto_edit: "Asks before commands",
  ask: "Asks before each change",
  read_only: "Only reads",
};

/** The same in a word. */
export const POLICY_WORD: Record<ApprovalPolicy, string> = {
  auto: "auto",
  auto_edit: "edits",
  ask: "asks",
  read_only: "reads",
};
