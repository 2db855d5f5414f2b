import { useState } from "react";
import type { ApprovalDecision, ToolCall } from "../../protocol/messages.gen";

/** What a person answered to what a call asks now, if they did; and keeps what they answer here. */
export function useAnswer(tool: ToolCall) {
  const [answer, setAnswer] = useState<{ to: ToolCall["approval"]; decision: ApprovalDecision }>();
  // A turn that nobody follows, because its drone is away, does not say by itself that it is answered.
  const decided = tool.approval?.decided ?? (answer?.to === tool.approval ? answer?.decision : undefined);
  return { decided, answered: (decision: ApprovalDecision) => setAnswer({ to: tool.approval, decision }) };
}

/** Stands in the place of what was asked until the drone tells of the answer. */
export function Answered({ words }: { words: string }) {
  return (
    <p className="text-sm text-soft" role="status">
      {words}. It counts as soon as the drone has heard of it.
    </p>
  );
}
