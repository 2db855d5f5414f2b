// What happened to sessions between two looks at the list that their person may want to be told of.
import type { SessionView } from "../../protocol/messages.gen";

export type NewsKind = "asks" | "failed" | "ended";

export interface News {
  session: SessionView;
  kind: NewsKind;
}

export function newsBetween(before: readonly SessionView[], after: readonly SessionView[]): News[] {
  const old = new Map(before.map((session) => [session.id, session]));
  return after.flatMap((session) => {
    const was = old.get(session.id);
    const kind = was && kindOf(was, session);
    return kind ? [{ session, kind }] : [];
  });
}

function kindOf(was: SessionView, is: SessionView): NewsKind | null {
  if (is.runningTurnId) {
    const asks = is.turnStatus === "awaiting_approval";
    const asked = was.runningTurnId === is.runningTurnId && was.turnStatus === "awaiting_approval";
    return asks && !asked ? "asks" : null;
  }
  // What its person stopped is no news to them.
  if (!is.turnEndedAt || is.turnEndedAt === was.turnEndedAt || is.turnStatus === "cancelled") return null;
  return is.turnStatus === "finished" ? "ended" : "failed";
}

export const NEWS_WORDS: Record<NewsKind, string> = {
  asks: "It waits for you.",
  failed: "The turn failed.",
  ended: "The turn has ended.",
};
