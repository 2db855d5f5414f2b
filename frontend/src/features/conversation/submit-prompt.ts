import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { call, ProblemError } from "../../api/http";
import { sessionQuery } from "../../api/queries";
import { useOpenConnection } from "../../connection/provider";
import type { SubmitTurn, TurnAccepted } from "../../protocol/messages.gen";

/** A key for one submission, so that sending it twice is one turn; also without TLS, where randomUUID is missing. */
function submissionKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Sends a prompt of this session, from wherever on the page. */
export function useSubmitPrompt(
  sessionId: string,
  {
    onSubmitting,
    onFailed,
  }: {
    /** The prompt that is on its way; null when it did not arrive. */
    onSubmitting(prompt: string | null): void;
    onFailed?(prompt: string): void;
  },
) {
  const attempt = useRef<{ prompt: string; key: string } | null>(null);
  const connection = useOpenConnection();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (prompt: string) => {
      // The same words again after a failure are the same submission.
      if (attempt.current?.prompt !== prompt) attempt.current = { prompt, key: submissionKey() };
      const body: SubmitTurn = { prompt };
      return call<TurnAccepted>(`/sessions/${sessionId}/turns`, {
        method: "POST",
        body,
        headers: { prefer: "respond-async", "idempotency-key": attempt.current.key },
      });
    },
    retry: (tries, error) => error instanceof ProblemError && error.unreachable && tries < 2,
    onMutate: (prompt) => onSubmitting(prompt),
    onSuccess: ({ turnId, status }) => {
      attempt.current = null;
      connection?.began(turnId);
      if (status === "queued") void client.invalidateQueries({ queryKey: sessionQuery(sessionId).queryKey });
    },
    onError: (_, prompt) => {
      onSubmitting(null);
      onFailed?.(prompt);
    },
  });
}
