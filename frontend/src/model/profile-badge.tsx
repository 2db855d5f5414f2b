import type { ModelProfile } from "../protocol/messages.gen";
import { profileWords } from "./profile";

const TONES = {
  good: "bg-sunken text-soft",
  weak: "bg-warn-wash text-warn",
  bad: "bg-bad-wash text-bad",
} as const;

/** What a model can do, as it was seen in an exam. */
export function ProfileBadge({ profile }: { profile: ModelProfile }) {
  const words = profileWords(profile);
  const at = new Date(profile.examinedAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return (
    <span className="inline-flex flex-wrap gap-1" title={`Tested ${at}`} data-testid="model-profile">
      {words.map((word) => (
        <span key={word.text} className={`rounded px-1.5 py-0.5 text-xs tabular-nums ${TONES[word.tone]}`}>
          {word.text}
        </span>
      ))}
      {words.length === 0 && <span className="text-xs text-faint">Nothing could be measured.</span>}
    </span>
  );
}
