import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useSyncExternalStore } from "react";
import { sessionsQuery } from "../../api/queries";
import { looked, useSeen } from "./unread";

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => !document.hidden);
}

/** Marks as seen what is open while somebody can see it. */
export function useAttention(): void {
  const { sessionId } = useParams({ strict: false });
  const { data: sessions } = useQuery(sessionsQuery);
  const visible = usePageVisible();
  useEffect(() => {
    if (sessions) useSeen.setState((seen) => looked(seen, sessions, visible ? sessionId : undefined));
  }, [sessions, sessionId, visible]);
}
