// The limits of a session as its form shows them.
import type { Limits } from "../../protocol/messages.gen";

export const LIMITS = [
  { key: "maxRounds", label: "Rounds", scale: 1, step: 1, say: some("round", "rounds") },
  { key: "maxSeconds", label: "Minutes", scale: 60, step: 1, say: some("minute", "minutes") },
  {
    key: "maxOutputTokens",
    label: "Output tokens",
    scale: 1,
    step: 1,
    say: some("output token", "output tokens"),
  },
  {
    key: "maxFilesChanged",
    label: "Files changed",
    scale: 1,
    step: 1,
    say: some("changed file", "changed files"),
  },
  {
    key: "maxEqualCalls",
    label: "Equal calls in a row",
    scale: 1,
    step: 1,
    say: some("equal call in a row", "equal calls in a row"),
  },
  { key: "maxCost", label: "Cost in dollars", scale: 1, step: 0.01, say: (dollars) => `$${dollars}` },
  {
    key: "maxSessionOutputTokens",
    label: "Output tokens of all turns",
    scale: 1,
    step: 1,
    say: (tokens) => `${some("output token", "output tokens")(tokens)} in all turns together`,
  },
  {
    key: "maxSessionCost",
    label: "Cost of all turns in dollars",
    scale: 1,
    step: 0.01,
    say: (dollars) => `$${dollars} for all turns together`,
  },
] as const satisfies readonly LimitField[];

interface LimitField {
  key: keyof Limits;
  label: string;
  scale: number;
  step: number;
  say(value: number): string;
}

function some(one: string, many: string) {
  return (value: number) => `${value.toLocaleString("en")} ${value === 1 ? one : many}`;
}

/** The limits in one sentence. */
export function limitWords(limits: Limits): string {
  const words = LIMITS.flatMap(({ key, scale, say }) => {
    const value = limits[key];
    return value == null ? [] : [say(value / scale)];
  });
  if (words.length === 0) return "None.";
  const last = words.pop();
  return `At most ${words.length === 0 ? last : `${words.join(", ")} and ${last}`}.`;
}

export type LimitTexts = Record<(typeof LIMITS)[number]["key"], string>;

export function writeLimits(limits: Limits): LimitTexts {
  return Object.fromEntries(
    LIMITS.map(({ key, scale }) => {
      const value = limits[key];
      return [key, value == null ? "" : String(value / scale)];
    }),
  ) as LimitTexts;
}

/** The limits that the texts say, none where one is empty; undefined when one is no number above 0. */
export function readLimits(texts: LimitTexts): Limits | undefined {
  const limits: Limits = {};
  for (const { key, scale, step } of LIMITS) {
    const text = texts[key].trim().replace(",", ".");
    if (text === "") continue;
    const value = Number(text) * scale;
    if (!Number.isFinite(value) || value <= 0) return undefined;
    limits[key] = step === 1 ? Math.max(1, Math.round(value)) : value;
  }
  return limits;
}
