// A session that goes on from before one of the turns of another one, with other words in that turn's place.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/http";
import { readAgain } from "../../api/queries";
import type { BranchSession, SessionView } from "../../protocol/messages.gen";
import { wordsOf, writeDraft } from "./draft";

/** All that was said before is copied. */
const PATIENCE_MILLIS = 120_000;

const arriving = new Set<string>();

/** Whether somebody comes to this session with a prompt that is to be sent; they come once. */
export function arrivesWithPrompt(sessionId: string): boolean {
  return arriving.delete(sessionId);
}

/** Makes the branch and leads there. From then on the words are those of its prompt box, which sends them. */
export function useBranch(sessionId: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ turnId }: { turnId: string; prompt: string }) => {
      const body: BranchSession = { turnId };
      return call<SessionView>(`/sessions/${sessionId}/branches`, {
        method: "POST",
        body,
        patienceMillis: PATIENCE_MILLIS,
      });
    },
    onSuccess: (branch, { turnId, prompt }) => {
      writeDraft(branch.id, prompt);
      writeDraft(wordsOf(turnId), null);
      arriving.add(branch.id);
      void readAgain(client, "sessions");
      void navigate({ to: "/sessions/$sessionId", params: { sessionId: branch.id } });
    },
  });
}
