// One submission of a prompt, by a key that makes sending it twice one turn.
import { ProblemError } from "../../api/http";

const PREFIX = "gadget.attempt.";

export interface Attempt {
  prompt: string;
  key: string;
}

/** Also without TLS, where randomUUID is missing. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(12))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** The same words again, after an attempt of which nobody knows whether it arrived, are the same submission. */
export function attemptAt(prompt: string, last: Attempt | null): Attempt {
  return last?.prompt === prompt ? last : { prompt, key: newKey() };
}

/** Whether the attempt's key stands for other words: under it the prompt is refused each time. */
export function keyIsTaken(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 422 && error.field === "Idempotency-Key";
}

/** The attempt that had not succeeded when the page was left; its prompt is in the draft. */
export function storedAttempt(sessionId: string): Attempt | null {
  try {
    const { prompt, key } = JSON.parse(localStorage.getItem(PREFIX + sessionId) ?? "{}") as Partial<Attempt>;
    return typeof prompt === "string" && typeof key === "string" ? { prompt, key } : null;
  } catch {
    return null;
  }
}

export function storeAttempt(sessionId: string, attempt: Attempt | null): void {
  try {
    if (attempt) localStorage.setItem(PREFIX + sessionId, JSON.stringify(attempt));
    else localStorage.removeItem(PREFIX + sessionId);
  } catch {
    // Full or forbidden: after a reload the prompt is another submission.
  }
}
