// Which turns a session shows: those that were read, and those that the connection brings.
import type { Turn } from "../../protocol/messages.gen";
import { copyOf, isEnded, isOver, type TurnCopy } from "../../turn/reducer";

const read = new WeakMap<Turn, TurnCopy>();

function copyOnce(turn: Turn): TurnCopy {
  const known = read.get(turn);
  if (known) return known;
  const copy = copyOf(turn);
  read.set(turn, copy);
  return copy;
}

/** Whether a turn is one that waits for its session or for a drone, and nobody works on it. */
export function waits(copy: TurnCopy, runningTurnId: string | null | undefined): boolean {
  return copy.turn.status === "queued" && copy.turn.id !== runningTurnId;
}

/** A stored end is the truth, undone files and all; until then, and when it goes on, the connection is ahead of what was read. */
function isAhead(live: Turn, stored: Turn): boolean {
  if (!isEnded(stored.status)) return true;
  if (!isEnded(live.status)) return !isOver(stored.status);
  return (live.finishedAt ?? "") > (stored.finishedAt ?? "");
}

export function conversation(
  sessionId: string,
  stored: readonly Turn[],
  live: Readonly<Record<string, TurnCopy>>,
): TurnCopy[] {
  const turns = new Map<string, TurnCopy>(stored.map((turn) => [turn.id, copyOnce(turn)]));
  for (const copy of Object.values(live)) {
    if (copy.turn.sessionId !== sessionId) continue;
    const known = turns.get(copy.turn.id);
    if (!known || isAhead(copy.turn, known.turn)) turns.set(copy.turn.id, copy);
  }
  return [...turns.values()].sort(({ turn: a }, { turn: b }) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0,
  );
}
