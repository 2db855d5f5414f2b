// The limits of a session as its form shows them.
import type { Limits } from "../../protocol/messages.gen";

export const LIMITS = [
  { key: "maxRounds", label: "Rounds", scale: 1, step: 1 },
  { key: "maxSeconds", label: "Minutes", scale: 60, step: 1 },
  { key: "maxOutputTokens", label: "Output tokens", scale: 1, step: 1 },
  { key: "maxFilesChanged", label: "Files changed", scale: 1, step: 1 },
  { key: "maxEqualCalls", label: "Equal calls in a row", scale: 1, step: 1 },
  { key: "maxCost", label: "Cost in dollars", scale: 1, step: 0.01 },
] as const satisfies readonly { key: keyof Limits; label: string; scale: number; step: number }[];

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
