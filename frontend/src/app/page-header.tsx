import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { sessionsQuery } from "../api/queries";
import { elsewhere } from "../features/session-list/groups";
import { Button } from "../ui/button";
import { ConnectionBadge } from "./connection-badge";
import { useShell } from "./shell-context";

export function PageHeader({ children }: { children: ReactNode }) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b bg-ground px-2 sm:px-4">
      <MenuOpener />
      <div className="flex min-w-0 flex-1 items-center gap-2">{children}</div>
      <ConnectionBadge />
    </header>
  );
}

/** Where the list is not seen, it says what goes on in the other sessions. */
function MenuOpener() {
  const { openMenu } = useShell();
  const { sessionId } = useParams({ strict: false });
  const { data: sessions } = useQuery(sessionsQuery);
  const other = elsewhere(sessions ?? [], sessionId);
  return (
    <Button
      kind="quiet"
      size="icon"
      aria-label={other ? `Open the menu. Elsewhere ${other.words}` : "Open the menu"}
      title={other ? `Elsewhere ${other.words}` : undefined}
      aria-controls="menu"
      className="relative md:hidden"
      onClick={openMenu}
    >
      <Menu size={17} aria-hidden />
      {other && (
        <span
          data-testid="elsewhere"
          className={`absolute top-0 right-0 h-4 min-w-4 rounded-full px-1 text-2xs font-medium tabular-nums ${other.waits ? "bg-warn-wash text-warn" : "bg-accent-wash text-accent"}`}
        >
          {other.count}
        </span>
      )}
    </Button>
  );
}
