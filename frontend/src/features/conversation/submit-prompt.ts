import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { call, ProblemError } from "../../api/http";
import { sessionQuery } from "../../api/queries";
import { useOpenConnection } from "../../connection/provider";
import type { SubmitTurn, TurnAccepted } from "../../protocol/messages.gen";
import { type Attempt, attemptAt, keyIsTaken, storeAttempt, storedAttempt } from "./attempt";
import { draftArrived, draftFailed } from "./draft";
import type { Submitting } from "./submitting";

/** Sends a prompt of this session, from wherever on the page; one from its box comes back there when it fails. */
export function useSubmitPrompt(sessionId: string, submitting: Submitting, { draft }: { draft: boolean }) {
  const attempt = useRef<Attempt | null>(null);
  const connection = useOpenConnection();
  const client = useQueryClient();
  const keep = (next: Attempt | null) => {
    attempt.current = next;
    if (draft) storeAttempt(sessionId, next);
  };
  return useMutation({
    mutationFn: (prompt: string) => {
      const { key } = attemptAt(prompt, attempt.current ?? (draft ? storedAttempt(sessionId) : null));
      keep({ prompt, key });
      const body: SubmitTurn = { prompt };
      return call<TurnAccepted>(`/sessions/${sessionId}/turns`, {
        method: "POST",
        body,
        headers: { prefer: "respond-async", "idempotency-key": key },
      });
    },
    retry: (tries, error) => error instanceof ProblemError && error.unreachable && tries < 2,
    onMutate: (prompt) => submitting.begin(prompt),
    onSuccess: (accepted, prompt) => {
      keep(null);
      if (draft) draftArrived(sessionId, prompt);
      submitting.accepted(accepted.turnId);
      connection?.began(accepted);
      if (accepted.status === "queued")
        void client.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey });
    },
    onError: (error, prompt) => {
      if (keyIsTaken(error)) keep(null);
      submitting.failed();
      if (draft) draftFailed(sessionId, prompt);
    },
  });
}
