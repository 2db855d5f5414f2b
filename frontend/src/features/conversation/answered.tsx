import { useMutation } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { call } from "../../api/http";
import type { ApprovalDecision, DecideToolCall, ToolCall } from "../../protocol/messages.gen";
import { focusPrompt } from "../../ui/return-focus";

/** What a person answered to what a call asks now, if they did; and keeps what they answer here. */
export function useAnswer(tool: ToolCall) {
  const [answer, setAnswer] = useState<{ to: ToolCall["approval"]; decision: ApprovalDecision }>();
  // A turn that nobody follows, because its drone is away, does not say by itself that it is answered.
  const decided = tool.approval?.decided ?? (answer?.to === tool.approval ? answer?.decision : undefined);
  return { decided, answered: (decision: ApprovalDecision) => setAnswer({ to: tool.approval, decision }) };
}

/** Sends what a person decided from within `box` about what `tool` shows now. */
export function useDecide(
  turnId: string,
  tool: ToolCall,
  box: RefObject<HTMLElement | null>,
  onDecided: (decision: ApprovalDecision) => void,
) {
  return useMutation({
    mutationFn: (decision: DecideToolCall) =>
      call(`/turns/${turnId}/approvals/${encodeURIComponent(tool.callId)}`, {
        method: "POST",
        body: { ...decision, ...(tool.approval?.shown ? { shown: tool.approval.shown } : {}) },
      }),
    onSuccess: (_, { decision }) => {
      // Before the box goes: what has the focus in it would leave it to the page.
      focusPrompt(box.current);
      onDecided(decision);
    },
  });
}

/** Why a decision did not arrive. */
export function NotDecided({ error }: { error: Error | null }) {
  return (
    error && (
      <p className="mt-2 text-xs text-bad" role="alert">
        {error.message}
      </p>
    )
  );
}

/** Stands in the place of what was asked until the drone tells of the answer. */
export function Answered({ words }: { words: string }) {
  return (
    <p className="text-sm text-soft" role="status">
      {words}. It counts as soon as the drone has heard of it.
    </p>
  );
}
