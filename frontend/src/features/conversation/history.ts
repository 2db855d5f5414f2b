// Prompts that were sent before, as the arrow keys bring them back.

/** Where somebody is in the history; `at` counts from the latest one. */
export interface Place {
  at: number;
  text: string;
}

/** The prompts of a session, the latest first, none twice in a row. */
export function sentBefore(prompts: readonly string[]): string[] {
  return prompts.filter((prompt, index) => prompt !== prompts[index + 1]).reverse();
}

/**
 * What an arrow key brings: an earlier or a later prompt, or "" after the latest. Null when the key is the caret's: in a text that
 * somebody has typed or changed.
 */
export function step(
  sent: readonly string[],
  place: Place | null,
  text: string,
  key: "ArrowUp" | "ArrowDown",
): Place | null {
  const inHistory = place !== null && place.text === text;
  if (text !== "" && !inHistory) return null;
  const at = (inHistory ? place.at : -1) + (key === "ArrowUp" ? 1 : -1);
  if (at < -1 || (at === -1 && !inHistory)) return null;
  if (at === -1) return { at, text: "" };
  const next = sent[at];
  return next === undefined ? (inHistory ? place : null) : { at, text: next };
}
