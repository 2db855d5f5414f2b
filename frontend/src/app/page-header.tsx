import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { ConnectionBadge } from "./connection-badge";
import { useShell } from "./shell-context";

export function PageHeader({ children }: { children: ReactNode }) {
  const { openMenu } = useShell();
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b bg-ground px-2 sm:px-4">
      <Button
        kind="quiet"
        size="icon"
        aria-label="Open the menu"
        aria-controls="menu"
        className="md:hidden"
        onClick={openMenu}
      >
        <Menu size={17} aria-hidden />
      </Button>
      <div className="flex min-w-0 flex-1 items-center gap-2">{children}</div>
      <ConnectionBadge />
    </header>
  );
}
