// The open session as the page keeps it: its latest turns, and those before them as far as somebody went back.
import { replaceEqualDeep } from "@tanstack/react-query";
import type { SessionDetail, Turn } from "../protocol/messages.gen";

/** What was read now, with the earlier turns that are known; nothing of them when turns between are missing. */
export function withKnown(known: SessionDetail | undefined, read: SessionDetail): SessionDetail {
  const oldest = read.turns[0];
  if (!known || !oldest || !read.earlier) return read;
  const at = known.turns.findIndex((turn) => turn.id === oldest.id);
  if (at <= 0) return read;
  return { ...read, turns: [...known.turns.slice(0, at), ...read.turns], earlier: known.earlier };
}

/** Turns that did not change stay the same objects, wherever they stand now: what is drawn of them stays too. */
export function sharing(before: SessionDetail | undefined, now: SessionDetail): SessionDetail {
  if (!before) return now;
  const known = new Map(before.turns.map((turn) => [turn.id, turn]));
  const turns = now.turns.map((turn) => replaceEqualDeep(known.get(turn.id), turn) as Turn);
  const { turns: turnsBefore, ...head } = before;
  const { turns: _, ...headNow } = now;
  const same = turns.length === turnsBefore.length && turns.every((turn, at) => turn === turnsBefore[at]);
  if (same && replaceEqualDeep(head, headNow) === head) return before;
  return { ...headNow, turns: same ? turnsBefore : turns };
}
