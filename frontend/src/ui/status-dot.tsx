const TONES = {
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  busy: "bg-accent animate-pulse-dot",
  waiting: "bg-warn animate-pulse-dot",
  idle: "bg-line-strong",
} as const;

export type Tone = keyof typeof TONES;

/** A colour that never stands alone: the words beside it say the same. */
export function StatusDot({ tone }: { tone: Tone }) {
  return <span aria-hidden className={`inline-block size-2 shrink-0 rounded-full ${TONES[tone]}`} />;
}
