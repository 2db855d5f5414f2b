// The page's title, which only this file writes: what is open, and what happened while nobody looked.
import { create } from "zustand";
import type { SessionView } from "../../protocol/messages.gen";
import type { News, NewsKind } from "./news";
import { useNotify } from "./notifications";

const WORDS: Record<NewsKind, string> = { asks: "Waits for you", failed: "Failed", ended: "Ended" };

export interface Title {
  /** The session that is open. */
  open: { name: string; running: boolean } | null;
  /** The latest of each session that nobody has looked at, in the order in which it happened. */
  news: readonly News[];
}

export function titleOf({ open, news }: Title): string {
  const page = open ? `${open.running ? "● " : ""}${open.name} · Gadget` : "Gadget";
  const last = news.at(-1);
  return last ? `(${news.length}) ${WORDS[last.kind]}: ${last.session.name} · Gadget` : page;
}

/** What is still to be told: the latest of each session, and no question that was answered elsewhere or of a session that is gone. */
export function untold(
  before: readonly News[],
  more: readonly News[],
  sessions: readonly SessionView[],
): readonly News[] {
  const now = new Map(sessions.map((session) => [session.id, session]));
  const kept = before.filter(({ session, kind }) => {
    if (more.some((one) => one.session.id === session.id)) return false;
    const is = now.get(session.id);
    return is !== undefined && (kind !== "asks" || is.turnStatus === "awaiting_approval");
  });
  return more.length === 0 && kept.length === before.length ? before : [...kept, ...more];
}

export const useTitle = create<Title>(() => ({ open: null, news: [] }));

useTitle.subscribe((title) => {
  document.title = titleOf(title);
});

/** Tells it in the title until somebody looks, when the person asked to be told here. */
export function tellInTitle(news: readonly News[], sessions: readonly SessionView[]): void {
  const wanted = useNotify.getState().wanted ? news : [];
  useTitle.setState((title) => ({ news: untold(title.news, wanted, sessions) }));
}

/** Somebody looks at the page. */
export function titleSeen(): void {
  if (useTitle.getState().news.length > 0) useTitle.setState({ news: [] });
}
