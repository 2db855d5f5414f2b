import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isOutdated, useConnection } from "../connection/connection";
import { BranchFailures } from "../features/conversation/branch-failures";
import { LinkGuard } from "../features/conversation/link-guard";
import { NewSessionDialog } from "../features/new-session/new-session-dialog";
import { Palette } from "../features/palette/palette";
import { ShortcutsDialog } from "../features/palette/shortcuts-dialog";
import { narrow, usePanel } from "../features/panel/panel-state";
import { useRenaming } from "../features/session-list/renaming";
import { useAttention } from "../features/session-list/use-attention";
import type { UserView } from "../protocol/messages.gen";
import { Notice } from "../ui/notice";
import { Reload } from "./error-boundary";
import { LookBackDialogs } from "./look-back-dialogs";
import { MeContext, ShellContext } from "./shell-context";
import { Sidebar } from "./sidebar";
import { useShortcuts } from "./use-shortcuts";

/** The frame around every page: the list on the left, and what the address names beside it. */
export function Shell({ me }: { me: UserView }) {
  const [menuOpen, setMenuOpen] = useState(false);
  const [overlay, setOverlay] = useState<"palette" | "help" | null>(null);
  const [newIn, setNewIn] = useState<{ projectId?: string } | null>(null);
  const path = useLocation({ select: (location) => location.pathname });
  const saved = useConnection((connection) => connection.saved);
  const outdated = useConnection(isOutdated);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the address changes
  useEffect(() => setMenuOpen(false), [path]);

  const openMenu = () => {
    // The panel would be over it.
    const panel = usePanel.getState();
    if (panel.open && narrow.matches) panel.toggle();
    setMenuOpen(true);
  };
  const closeMenu = () => setMenuOpen(false);
  const actions = {
    openMenu,
    newSession: (projectId?: string) => setNewIn({ projectId }),
    palette: () => setOverlay("palette"),
    help: () => setOverlay("help"),
    rename: (sessionId: string) => {
      openMenu();
      useRenaming.getState().rename(sessionId);
    },
  };
  useAttention();
  useShortcuts({ ...actions, newSession: () => setNewIn({}) });

  return (
    <MeContext value={me}>
      <ShellContext value={actions}>
        <a
          href="#main"
          className="absolute -top-20 left-2 z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:top-2"
        >
          Skip to the content
        </a>
        <div className="flex h-dvh min-h-0">
          {menuOpen && (
            <button
              type="button"
              aria-label="Close the menu"
              data-veil=""
              className="fixed inset-0 z-30 bg-veil md:hidden"
              onClick={closeMenu}
            />
          )}
          <Sidebar open={menuOpen} onClose={closeMenu} />
          <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
            {!saved && (
              <div className="px-4 pt-2">
                <Notice tone="warn">
                  What you see is not stored at the moment: the store does not answer. Work goes on and is
                  stored when it is back.
                </Notice>
              </div>
            )}
            {outdated && (
              <div className="px-4 pt-2">
                <Notice action={<Reload />}>
                  Gadget was updated. Reload the page to get its new version; unsent prompts and unsaved files
                  are kept.
                </Notice>
              </div>
            )}
            <BranchFailures />
            <Outlet />
          </main>
        </div>
        {overlay === "palette" && (
          <Palette onClose={() => setOverlay((now) => (now === "palette" ? null : now))} />
        )}
        {overlay === "help" && <ShortcutsDialog onClose={() => setOverlay(null)} />}
        <LookBackDialogs />
        <LinkGuard />
        {newIn && <NewSessionDialog projectId={newIn.projectId} onClose={() => setNewIn(null)} />}
      </ShellContext>
    </MeContext>
  );
}
