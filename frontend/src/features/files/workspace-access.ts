import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
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

/** Who may write in the session's workspace; what this page took is kept while it is used. */
export function useWorkspaceAccess(session: SessionDetail, unsaved: boolean): WorkspaceAccess {
  const client = useQueryClient();
  const drone = useDroneOf(session.workspaceId);
  const mode = !drone || drone.status === "offline" ? "away" : (drone.workspaceMode ?? "idle");
  const holding = useRef(false);
  const usedAt = useRef(0);
  const keeps = useRef(unsaved);
  keeps.current = unsaved;
  if (mode !== "user") holding.current = false;

  const change = useCallback(
    async (wanted: "user" | "idle") => {
      const view = await changeMode(session.id, wanted);
      holding.current = wanted === "user";
      usedAt.current = Date.now();
      client.setQueryData(dronesQuery.queryKey, (known) =>
        known?.map((one) =>
          one.workspaceId === view.workspaceId ? { ...one, workspaceMode: view.mode } : one,
        ),
      );
    },
    [client, session.id],
  );

  useEffect(() => {
    const timer = setInterval(() => {
      if (!holding.current) return;
      const used = keeps.current || Date.now() - usedAt.current < IDLE_MILLIS;
      const since = usedAt.current;
      void change(used ? "user" : "idle")
        .then(() => {
          usedAt.current = since;
        })
        .catch(() => undefined);
    }, RENEW_MILLIS);
    return () => {
      clearInterval(timer);
      if (holding.current) void changeMode(session.id, "idle").catch(() => undefined);
      holding.current = false;
    };
  }, [change, session.id]);

  return {
    mode,
    takeOver: useCallback(() => change("user"), [change]),
    giveBack: useCallback(() => change("idle"), [change]),
  };
}
