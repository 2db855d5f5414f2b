import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { create } from "zustand";
import { messageOf } from "../../api/http";
import { sessionQuery } from "../../api/queries";
import { updateSession } from "../../api/sessions";
import type { ApprovalPolicy } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { POLICY_WORDS } from "../new-session/efforts";
import { policyBefore } from "./policy-before";
import { useResend } from "./resend";

const PROMPT = "Carry out the plan.";
const POLICIES = (Object.keys(POLICY_WORDS) as ApprovalPolicy[]).filter((policy) => policy !== "read_only");

/** Why a plan was not sent, by its turn: the approvals may be set by then, and the row away and back. */
const useNotSent = create<Record<string, string>>(() => ({}));

/** Below the last turn of a session that only reads: lets the agent do what it planned, asked for as the person chooses. */
export function GoAhead({ turnId, sessionId }: { turnId: string; sessionId: string }) {
  const session = useQuery({ ...sessionQuery(sessionId), enabled: false }).data;
  const { lastTurnId } = useResend();
  const notSent = useNotSent((all) => all[turnId]);
  if (!session || turnId !== lastTurnId) return null;
  const reads = session.approvalPolicy === "read_only";
  if (!reads && notSent === undefined) return null;
  return (
    <GoAheadRow
      turnId={turnId}
      sessionId={sessionId}
      set={reads ? undefined : session.approvalPolicy}
      notSent={notSent}
    />
  );
}

interface GoAheadRowProps {
  turnId: string;
  sessionId: string;
  /** What the session is asked for by now, when it does not only read any more. */
  set: ApprovalPolicy | undefined;
  notSent: string | undefined;
}

function GoAheadRow({ turnId, sessionId, set, notSent }: GoAheadRowProps) {
  const client = useQueryClient();
  const { send, canSend } = useResend();
  const [chosen, setPolicy] = useState<ApprovalPolicy>();
  const policy = chosen ?? set ?? policyBefore(sessionId);
  const failed = (why: Error) => useNotSent.setState({ [turnId]: messageOf(why) });
  const go = useMutation({
    mutationFn: () => updateSession(client, sessionId, { approvalPolicy: policy }),
    onMutate: () => useNotSent.setState(({ [turnId]: _, ...others }) => others, true),
    onSuccess: () => send(PROMPT, { onError: failed }),
    onError: failed,
  });
  return (
    <section aria-label="After the plan" data-testid="go-ahead" className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">
        <span>{set ? "The plan was not sent." : "This session only reads."}</span>
        <select
          aria-label="How the agent carries it out"
          value={policy}
          disabled={go.isPending}
          onChange={(event) => setPolicy(event.target.value as ApprovalPolicy)}
          className="h-7 rounded-md border bg-raised px-1.5 text-xs"
        >
          {POLICIES.map((one) => (
            <option key={one} value={one}>
              {POLICY_WORDS[one]}
            </option>
          ))}
        </select>
        <Button
          size="small"
          title={`Sets the approvals, and sends “${PROMPT}”`}
          disabled={!canSend}
          busy={go.isPending}
          onClick={() => go.mutate()}
        >
          <Play size={12} aria-hidden />
          Go ahead
        </Button>
      </div>
      {notSent && (
        <p role="alert" className="text-xs text-bad">
          {notSent}
        </p>
      )}
    </section>
  );
}
