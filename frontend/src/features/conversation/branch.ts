// A session that goes on from before one of the turns of another one, with other words in that turn's place.
import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { call } from "../../api/http";
import { readAgain } from "../../api/queries";
import type { BranchSession, SessionView } from "../../protocol/messages.gen";
import { draftOf, wordsOf, writeDraft } from "./draft";

/** All that was said before is copied. */
const PATIENCE_MILLIS = 120_000;

const arriving = new Set<string>();

/** Whether somebody comes to this session with a prompt that is to be sent; they come once. */
export function arrivesWithPrompt(sessionId: string): boolean {
  return arriving.delete(sessionId);
}

/**
 * Makes the branch and leads there. From then on the words are those of its prompt box, which sends them. Who went elsewhere meanwhile
 * stays there: the words wait in that box.
 */
export function useBranch(sessionId: string) {
  const client = useQueryClient();
  const router = useRouter();
  const mutationKey = ["branch", sessionId];
  const { mutate } = useMutation({
    mutationKey,
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
      // Who has typed on meanwhile goes on.
      if (draftOf(wordsOf(turnId)) === prompt) writeDraft(wordsOf(turnId), null);
      void readAgain(client, "sessions");
      if (router.state.location.pathname !== `/sessions/${sessionId}`) return;
      arriving.add(branch.id);
      void router.navigate({ to: "/sessions/$sessionId", params: { sessionId: branch.id } });
    },
  });
  // Also of one that began before somebody looked at another session.
  const isPending = useIsMutating({ mutationKey }) > 0;
  return { mutate, isPending };
}
