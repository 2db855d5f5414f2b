// A session that goes on from before one of the turns of another one, with other words in that turn's place.
import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { create } from "zustand";
import { call, messageOf, ProblemError } from "../../api/http";
import { readAgain } from "../../api/queries";
import type { BranchSession, SessionView } from "../../protocol/messages.gen";
import { type Attempt, attemptAt, storeAttempt, storedAttempt } from "./attempt";
import { draftOf, wordsOf, writeDraft } from "./draft";

/** All that was said before is copied. */
const PATIENCE_MILLIS = 120_000;

const LONGEST_PAUSE_MILLIS = 5000;
const TRIES_UNHEARD = 2;
const TRIES_WHILE_MADE = 20;

/** Asked again by the same key: after an attempt that nobody heard the end of, what is being made may be just this branch. */
function isWorthAnother(tries: number, error: Error): boolean {
  if (!(error instanceof ProblemError)) return false;
  if (error.unreachable) return tries < TRIES_UNHEARD;
  return error.code === "conflict" && tries > 0 && tries < TRIES_WHILE_MADE;
}

const arriving = new Set<string>();

/** Whether somebody comes to this session with a prompt that is to be sent; they come once. */
export function arrivesWithPrompt(sessionId: string): boolean {
  return arriving.delete(sessionId);
}

/** Why no branch could be made from before a turn. */
export interface BranchFailure {
  sessionId: string;
  why: string;
  /** Whether the form with the words was there to say so. */
  told: boolean;
}

/** By turn: the form that sent the words may be away when it fails, and is back later. */
export const useBranchFailures = create<Record<string, BranchFailure>>(() => ({}));

export function forgetBranchFailure(turnId: string): void {
  useBranchFailures.setState(({ [turnId]: _, ...others }) => others, true);
}

/** The words are kept: the form that sent them stays, or is there again, also when they are the prompt's own. */
export function failBranch(sessionId: string, turnId: string, prompt: string, why: string): void {
  if (draftOf(wordsOf(turnId)) === null) writeDraft(wordsOf(turnId), prompt);
  useBranchFailures.setState({ [turnId]: { sessionId, why, told: forms.has(turnId) } });
}

const forms = new Set<string>();

/** Says that the form with other words for this turn's prompt is on the page, where a failure is told. */
export function useBranchForm(turnId: string, open: boolean): void {
  useEffect(() => {
    if (!open) return;
    forms.add(turnId);
    const failure = useBranchFailures.getState()[turnId];
    if (failure) useBranchFailures.setState({ [turnId]: { ...failure, told: true } });
    return () => void forms.delete(turnId);
  }, [turnId, open]);
}

/** By turn, where the browser keeps nothing. */
const attempts = new Map<string, Attempt>();

/** One attempt until a branch came of it, with whatever words: only the place is sent. */
function keyOf(turnId: string): string {
  const name = `${turnId}/branch`;
  const attempt = attemptAt("", attempts.get(name) ?? storedAttempt(name));
  attempts.set(name, attempt);
  storeAttempt(name, attempt);
  return attempt.key;
}

function forgetKey(turnId: string): void {
  const name = `${turnId}/branch`;
  attempts.delete(name);
  storeAttempt(name, null);
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
        headers: { "idempotency-key": keyOf(turnId) },
        patienceMillis: PATIENCE_MILLIS,
      });
    },
    retry: isWorthAnother,
    retryDelay: (tries) => Math.min(1000 * 2 ** tries, LONGEST_PAUSE_MILLIS),
    onMutate: ({ turnId }) => forgetBranchFailure(turnId),
    onError: (error, { turnId, prompt }) => failBranch(sessionId, turnId, prompt, messageOf(error)),
    onSuccess: (branch, { turnId, prompt }) => {
      forgetKey(turnId);
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
