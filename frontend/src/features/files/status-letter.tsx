import { STATUS_WORDS } from "../../api/files";
import type { GitStatus } from "../../protocol/messages.gen";

const COLOURS: Record<GitStatus, string> = {
  M: "text-warn",
  A: "text-good",
  D: "text-bad",
  U: "text-bad",
  "?": "text-good",
};

/** Git's letter; the words for it are said and shown as a hint. */
export function StatusLetter({ status }: { status: GitStatus }) {
  return (
    <span
      role="img"
      aria-label={STATUS_WORDS[status]}
      title={STATUS_WORDS[status]}
      className={`w-3 shrink-0 text-center font-mono text-2xs font-semibold ${COLOURS[status]}`}
    >
      {status === "?" ? "N" : status}
    </span>
  );
}
