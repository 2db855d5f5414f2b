import { Activity } from "lucide-react";
import { runs } from "../../api/processes";
import type { SessionDetail } from "../../protocol/messages.gen";
import { usePanel } from "../panel/panel-state";
import { useProcesses } from "./use-processes";

/** That something runs in the background, in the page's head; a click shows what. */
export function RunningBadge({ session }: { session: SessionDetail }) {
  const { data, there } = useProcesses(session);
  const show = usePanel((panel) => panel.show);
  const running = there ? (data?.filter(runs).length ?? 0) : 0;
  if (running === 0) return null;
  const words = `${running} ${running === 1 ? "command runs" : "commands run"} in the background`;
  return (
    <button
      type="button"
      data-testid="running-badge"
      aria-label={`${words}: show`}
      title={words}
      onClick={() => show("session")}
      className="flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-2xs text-soft tabular-nums hover:bg-sunken"
    >
      <Activity size={12} aria-hidden className="shrink-0 text-accent" />
      {running}
      <span className="max-lg:hidden">in the background</span>
    </button>
  );
}
