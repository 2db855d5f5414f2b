import { useMutation } from "@tanstack/react-query";
import { call } from "../../api/http";
import type { ApprovalDecision, DecideToolCall } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";

/** Asks the person; what is shown above is exactly what will run. */
export function ApprovalRow({
  turnId,
  callId,
  reason,
}: {
  turnId: string;
  callId: string;
  reason: string | undefined;
}) {
  const decide = useMutation({
    mutationFn: (decision: ApprovalDecision) => {
      const body: DecideToolCall = { decision };
      return call(`/turns/${turnId}/approvals/${encodeURIComponent(callId)}`, { method: "POST", body });
    },
  });
  return (
    <div className="border-t border-warn bg-warn-wash px-3 py-2.5">
      <p className="text-sm text-warn" role="alert">
        {reason ?? "This call waits for you."} What stands above is exactly what will run.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind="primary" busy={decide.isPending} onClick={() => decide.mutate("approve")}>
          Approve
        </Button>
        <Button busy={decide.isPending} onClick={() => decide.mutate("approve_for_session")}>
          Approve for this session
        </Button>
        <Button kind="danger" busy={decide.isPending} onClick={() => decide.mutate("deny")}>
          Deny
        </Button>
      </div>
      {decide.error && (
        <p className="mt-2 text-xs text-bad" role="alert">
          {decide.error.message}
        </p>
      )}
    </div>
  );
}
