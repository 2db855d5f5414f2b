// What an exam found a model to do, in few words.
import type { ModelProfile } from "../protocol/messages.gen";

export interface ProfileWord {
  text: string;
  /** Bad is what keeps an agent from working, weak what makes it work badly. */
  tone: "good" | "weak" | "bad";
}

/** A context that a few files fill up. */
const SMALL_CONTEXT = 8000;

const CALLING = {
  native: { text: "tools: native", tone: "good" },
  text: { text: "tools: as text", tone: "weak" },
  none: { text: "no tools", tone: "bad" },
} as const satisfies Record<string, ProfileWord>;

/** The facts that matter for a choice, the most important first; what was not measured is left out. */
export function profileWords(profile: ModelProfile): ProfileWord[] {
  const { toolCalling, contextTokens, contextAtLeast, edits, tokensPerSecond } = profile;
  const words: ProfileWord[] = [];
  if (toolCalling) words.push(CALLING[toolCalling]);
  if (contextTokens) {
    const tone = contextTokens < SMALL_CONTEXT ? "weak" : "good";
    words.push({ text: `context ${tokens(contextTokens)}`, tone });
  }
  if (contextAtLeast) words.push({ text: `context at least ${tokens(contextAtLeast)}`, tone: "good" });
  if (edits) {
    const tone = edits.passed === 0 ? "bad" : edits.passed * 2 < edits.of ? "weak" : "good";
    words.push({ text: `edits ${edits.passed}/${edits.of}`, tone });
  }
  if (tokensPerSecond) words.push({ text: `${rate(tokensPerSecond)} tokens/s`, tone: "good" });
  return words;
}

/** The same in one line, for places that take nothing but text. */
export function profileLine(profile: ModelProfile): string {
  return profileWords(profile)
    .map((word) => word.text)
    .join(" · ");
}

/** Contexts are powers of two, or round in thousands. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count % 1024 === 0 ? `${count / 1024}k` : `${Math.round(count / 1000)}k`;
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}
