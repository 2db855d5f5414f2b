import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { useDroneOf } from "../../api/drones";
import { changeMode } from "../../api/files";
import { dronesQuery } from "../../api/queries";
import type { SessionDetail, WorkspaceMode } from "../../protocol/messages.gen";

/** Well within the lease of 30 s, so that one answer may get lost. */
const RENEW_MILLIS = 12_000;
/** Whoever does nothing for so long, and has nothing unsaved, gives the workspace back. */
const IDLE_MILLIS = 120_000;

export interface WorkspaceAccess {
  /** Who may write; `away` while the drone is not connected. */
  mode: WorkspaceMode | "away";
  /** Takes the workspace, or keeps it; rejected while the agent works. */
  takeOver(): Promise<void>;
  giveBack(): Promise<void>;
}

/** What this page does in a session's workspace, from whichever of its panels: there is one lease for all of them. */
interface Use {
  panels: number;
  /** The panels that have something unsaved. */
  unsaved: number;
  holding: boolean;
  usedAt: number;
  timer: ReturnType<typeof setInterval> | undefined;
}

/** By session, while a panel of it is there. */
const uses = new Map<string, Use>();

function enter(sessionId: string, renew: (use: Use) => void): () => void {
  const use = uses.get(sessionId) ?? {
    panels: 0,
    unsaved: 0,
    holding: false,
    usedAt: 0,
    timer: undefined,
  };
  uses.set(sessionId, use);
  use.panels += 1;
  use.timer ??= setInterval(() => use.holding && renew(use), RENEW_MILLIS);
  return () => {
    use.panels -= 1;
    if (use.panels > 0) return;
    clearInterval(use.timer);
    uses.delete(sessionId);
    if (use.holding) void changeMode(sessionId, "idle").catch(() => undefined);
  };
}

/** Who may write in the session's workspace; what this page took is kept while it is used. */
export function useWorkspaceAccess(session: SessionDetail, unsaved: boolean): WorkspaceAccess {
  const client = useQueryClient();
  const drone = useDroneOf(session.workspaceId);
  const mode = !drone || drone.status === "offline" ? "away" : (drone.workspaceMode ?? "idle");

  const change = useCallback(
    async (wanted: "user" | "idle") => {
      const view = await changeMode(session.id, wanted);
      const use = uses.get(session.id);
      if (use) use.holding = wanted === "user";
      client.setQueryData(dronesQuery.queryKey, (known) =>
        known?.map((one) =>
          one.workspaceId === view.workspaceId ? { ...one, workspaceMode: view.mode } : one,
        ),
      );
    },
    [client, session.id],
  );

  const used = useCallback(
    async (wanted: "user" | "idle") => {
      await change(wanted);
      const use = uses.get(session.id);
      if (use) use.usedAt = Date.now();
    },
    [change, session.id],
  );

  useEffect(
    () =>
      enter(session.id, (use) => {
        const inUse = use.unsaved > 0 || Date.now() - use.usedAt < IDLE_MILLIS;
        void change(inUse ? "user" : "idle").catch(() => undefined);
      }),
    [change, session.id],
  );

  useEffect(() => {
    const use = uses.get(session.id);
    if (!unsaved || !use) return;
    use.unsaved += 1;
    return () => {
      use.unsaved -= 1;
    };
  }, [unsaved, session.id]);

  useEffect(() => {
    const use = uses.get(session.id);
    if (use && mode !== "user") use.holding = false;
  }, [mode, session.id]);

  return {
    mode,
    takeOver: useCallback(() => used("user"), [used]),
    giveBack: useCallback(() => used("idle"), [used]),
  };
}
