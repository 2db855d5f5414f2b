// Puts back what turns changed in files, the newest first: each undo is of the files as its turn left them.
import { useQueryClient } from "@tanstack/react-query";
import { create } from "zustand";
import { readTurnAgain } from "../../api/earlier-turns";
import { workspaceKey } from "../../api/files";
import { call, messageOf, ProblemError } from "../../api/http";
import type { Turn, UndoTurn } from "../../protocol/messages.gen";
import { failBranch, forgetBranchFailure } from "./branch";

/** The turns from this one on that changed files which are not put back, the newest first. */
export function changedSince(turns: readonly Turn[], turnId: string): string[] {
  const at = turns.findIndex((turn) => turn.id === turnId);
  return at < 0 ? [] : changed(turns.slice(at)).reverse();
}

/** The turns that changed files which are not put back. */
export function changed(turns: readonly Turn[]): string[] {
  return turns.filter((turn) => turn.files && !turn.files.undone).map((turn) => turn.id);
}

/** Where it stands: so many of so many are undone; with a reason when it stopped there. */
export interface PutBack {
  sessionId: string;
  done: number;
  of: number;
  /** Why the next one was not undone. */
  why?: string;
  /** The one that can be undone all the same: files were changed since, and those changes would be lost. */
  forcible?: string | undefined;
}

/** By the turn from which on: the form that asked for it may be away meanwhile, and is back later. */
const usePutBacks = create<Record<string, PutBack>>(() => ({}));

function stands(turnId: string, state: PutBack): void {
  usePutBacks.setState({ [turnId]: state });
}

function forget(turnId: string): void {
  usePutBacks.setState(({ [turnId]: _, ...others }) => others, true);
}

export function sofar({ done, of }: PutBack): string {
  return `${done} of ${of} ${of === 1 ? "turn" : "turns"} undone`;
}

/** Undoes turns one after the other and stops at the first that is refused; one run at a time in a session. */
export function usePutBack(sessionId: string, turnId: string) {
  const client = useQueryClient();
  const state = usePutBacks((all) => all[turnId]);
  const inSession = usePutBacks((all) =>
    Object.values(all).some((one) => one.sessionId === sessionId && !one.why),
  );

  /** True when all of them are undone; forced is the one of which a person was told. */
  async function putBack(turnIds: readonly string[], prompt: string, forced?: string): Promise<boolean> {
    forgetBranchFailure(turnId);
    const of = turnIds.length;
    for (const [done, each] of turnIds.entries()) {
      stands(turnId, { sessionId, done, of });
      try {
        const body: UndoTurn = { force: each === forced };
        await call(`/turns/${each}/undo`, { method: "POST", body });
        await readTurnAgain(client, sessionId, each);
      } catch (error) {
        const changedMeanwhile = error instanceof ProblemError && error.code === "changed_meanwhile";
        const stopped = { sessionId, done, of, why: messageOf(error) };
        stands(turnId, { ...stopped, forcible: changedMeanwhile ? each : undefined });
        failBranch(sessionId, turnId, prompt, `${stopped.why} (${sofar(stopped)}.)`);
        return false;
      } finally {
        void client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
      }
    }
    forget(turnId);
    return true;
  }

  return { state, inSession, putBack, forget: () => forget(turnId) };
}
