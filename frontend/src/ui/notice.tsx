import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  info: { box: "border-line bg-sunken text-soft", Icon: Info },
  warn: { box: "border-transparent bg-warn-wash text-warn", Icon: TriangleAlert },
  bad: { box: "border-transparent bg-bad-wash text-bad", Icon: CircleAlert },
} as const;

/** A sentence that says what is the matter and what can be done. */
export function Notice({
  tone = "info",
  children,
  action,
}: {
  tone?: keyof typeof TONES;
  children: ReactNode;
  action?: ReactNode;
}) {
  const { box, Icon } = TONES[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={`flex items-start gap-2 rounded-lg border px-3 py-2 text-sm ${box}`}
    >
      <Icon size={15} className="mt-0.5 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</div>
      {action}
    </div>
  );
}
