import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { sessionsQuery } from "../../api/queries";
import type { SessionView } from "../../protocol/messages.gen";
import { newsBetween } from "../notify/news";
import { tell } from "../notify/notifications";
import { tellInTitle, titleSeen } from "../notify/page-title";
import { looked, useSeen } from "./unread";

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => document.removeEventListener("visibilitychange", changed);
}

export function usePageVisible(): boolean {
  return useSyncExternalStore(onVisibility, () => !document.hidden);
}

/** Marks as seen what is open while somebody can see it, and tells of what happens while nobody can. */
export function useAttention(): void {
  const { sessionId } = useParams({ strict: false });
  const { data: sessions } = useQuery(sessionsQuery);
  const visible = usePageVisible();
  useEffect(() => {
    if (sessions) useSeen.setState((seen) => looked(seen, sessions, visible ? sessionId : undefined));
  }, [sessions, sessionId, visible]);

  useEffect(() => {
    if (visible) titleSeen();
  }, [visible]);

  const navigate = useNavigate();
  const before = useRef<readonly SessionView[] | null>(null);
  useEffect(() => {
    if (!sessions) return;
    const news = before.current ? newsBetween(before.current, sessions) : [];
    before.current = sessions;
    if (!document.hidden) return;
    tellInTitle(news, sessions);
    tell(news, (id) => void navigate({ to: "/sessions/$sessionId", params: { sessionId: id } }));
  }, [sessions, navigate]);
}
