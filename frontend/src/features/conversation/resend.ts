import { createContext, use } from "react";

/** What is told of a prompt on its way, as long as this session is open. */
export interface Told {
  onSuccess?(): void;
  onSettled?(): void;
  /** Why it was not sent; who is told says so themselves. */
  onError?(why: Error): void;
}

export interface Resend {
  /** Sends these words as a new turn. */
  send(prompt: string, told?: Told): void;
  /** Whether a prompt can be sent now; it may have to wait for its turn. */
  canSend: boolean;
  /** The latest turn that does not wait. */
  lastTurnId?: string | undefined;
  /** Sends these words in a session of its own that goes on from before this turn, and leads there. */
  branch(turnId: string, prompt: string, told?: Told): void;
  /** Whether no branch is on its way: the page is about to leave for one. */
  canBranch: boolean;
  /** Whether a branch has a worktree of its own. */
  worktree: boolean;
  sessionId: string;
  /** The turns from this one on that changed files which are not put back, the newest first. */
  changedSince(turnId: string): string[];
}

/** How an earlier prompt is sent again; turns do not change with it, so that they are not drawn again. */
export const ResendContext = createContext<Resend>({
  send() {},
  canSend: false,
  branch() {},
  canBranch: false,
  worktree: false,
  sessionId: "",
  changedSince: () => [],
});

export function useResend(): Resend {
  return use(ResendContext);
}
