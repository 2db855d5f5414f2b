import { useState } from "react";
import type { TurnCopy } from "../../turn/reducer";

/** A prompt on its way, as the page shows it. */
export interface Submitting {
  /** What is shown of it; null when there is none, or its turn is there. */
  prompt: string | null;
  begin(prompt: string): void;
  /** It will be this turn. */
  accepted(turnId: string): void;
  failed(): void;
}

/** Shows a prompt from the moment it is sent until its turn is among all; turns that are removed later do not bring it back. */
export function useSubmitting(all: readonly TurnCopy[], running: string | undefined): Submitting {
  const [sent, setSent] = useState<{ prompt: string; after: number; turnId?: string } | null>(null);
  if (sent?.turnId && all.some((copy) => copy.turn.id === sent.turnId)) setSent(null);
  return {
    prompt: sent && all.length <= sent.after && !running ? sent.prompt : null,
    begin: (prompt) => setSent({ prompt, after: all.length }),
    accepted: (turnId) => setSent((now) => now && { ...now, turnId }),
    failed: () => setSent(null),
  };
}
