import { createContext, use } from "react";
import type { UserView } from "../protocol/messages.gen";

export const MeContext = createContext<UserView | null>(null);

export function useMe(): UserView {
  const me = use(MeContext);
  if (!me) throw new Error("only inside the shell is somebody known");
  return me;
}

interface ShellActions {
  openMenu(): void;
  newSession(projectId?: string): void;
  palette(): void;
  help(): void;
  rename(sessionId: string): void;
}

export const ShellContext = createContext<ShellActions>({
  openMenu() {},
  newSession() {},
  palette() {},
  help() {},
  rename() {},
});

export function useShell(): ShellActions {
  return use(ShellContext);
}
