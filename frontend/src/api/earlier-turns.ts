// Reads turns of the open session that did not come with it.
import type { QueryClient } from "@tanstack/react-query";
import type { Page, Turn } from "../protocol/messages.gen";
import { call } from "./http";
import { sessionQuery } from "./queries";

const reading = new Map<string, Promise<void>>();

/** Reads the turns before those that are known; of several calls at once only one asks. */
export function readEarlier(client: QueryClient, sessionId: string): Promise<void> {
  const running = reading.get(sessionId);
  if (running) return running;
  const begun = earlier(client, sessionId).finally(() => reading.delete(sessionId));
  reading.set(sessionId, begun);
  return begun;
}

async function earlier(client: QueryClient, sessionId: string): Promise<void> {
  const { queryKey } = sessionQuery(sessionId);
  const cursor = client.getQueryData(queryKey)?.earlier;
  if (!cursor) return;
  const page = await call<Page<Turn>>(`/sessions/${sessionId}/turns?cursor=${encodeURIComponent(cursor)}`);
  client.setQueryData(queryKey, (known) =>
    known?.earlier === cursor
      ? { ...known, turns: [...page.items.toReversed(), ...known.turns], earlier: page.next }
      : known,
  );
}

/** Reads one turn again, which may be too early a one to come with the session. */
export async function readTurnAgain(client: QueryClient, sessionId: string, turnId: string): Promise<void> {
  const turn = await call<Turn>(`/turns/${turnId}`);
  client.setQueryData(
    sessionQuery(sessionId).queryKey,
    (known) => known && { ...known, turns: known.turns.map((one) => (one.id === turnId ? turn : one)) },
  );
}
