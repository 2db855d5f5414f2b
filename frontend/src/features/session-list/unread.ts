// Which sessions have ended something that nobody has seen here; kept by the browser, in the service's time.
import { create } from "zustand";
import type { SessionView } from "../../protocol/messages.gen";

const KEY = "gadget.seen";
const MOST = 2_000;

export interface Seen {
  /** What had ended before this browser looked for the first time counts as seen. */
  since: string | null;
  /** By session: the end that was seen last. */
  ends: Readonly<Record<string, string>>;
}

const NOTHING: Seen = { since: null, ends: {} };

function stored(): Seen {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Seen> | null;
    if (typeof value?.since !== "string" || typeof value.ends !== "object" || value.ends === null)
      return NOTHING;
    const ends = Object.entries(value.ends).filter(([, at]) => typeof at === "string");
    return { since: value.since, ends: Object.fromEntries(ends.slice(-MOST)) };
  } catch {
    return NOTHING;
  }
}

export const useSeen = create<Seen>(stored);

useSeen.subscribe((seen) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(seen));
  } catch {
    // Kept for this page only.
  }
});

export function isUnread(session: SessionView, seen: Seen): boolean {
  const end = session.turnEndedAt;
  return !!end && seen.since !== null && end > (seen.ends[session.id] ?? seen.since);
}

/** After a look at the list: everything there is when it is the first one, and the session that is open and visible. */
export function looked(seen: Seen, sessions: readonly SessionView[], openId: string | undefined): Seen {
  const since =
    seen.since ?? sessions.reduce((latest, { turnEndedAt: at }) => (at && at > latest ? at : latest), "");
  const open = sessions.find((one) => one.id === openId);
  const end = open?.turnEndedAt;
  const known = since === seen.since && (!end || !isUnread(open, { since, ends: seen.ends }));
  if (known) return seen;
  return { since, ends: end ? { ...seen.ends, [open.id]: end } : seen.ends };
}
