// What is changed of a session from wherever it is listed.
import type { QueryClient } from "@tanstack/react-query";
import type { SessionView, UpdateSession } from "../protocol/messages.gen";
import { call } from "./http";
import { readAgain, sessionQuery, sessionsQuery } from "./queries";

/** Changes it, and shows it changed at once; what the service says in the end counts. */
export async function updateSession(client: QueryClient, id: string, body: UpdateSession): Promise<void> {
  const { name, pinned, archived } = body;
  const seen = {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof pinned === "boolean" ? { pinned } : {}),
    ...(typeof archived === "boolean" ? { archived } : {}),
  };
  await client.cancelQueries({ queryKey: sessionsQuery.queryKey });
  client.setQueryData(sessionsQuery.queryKey, (sessions) =>
    sessions?.map((one) => (one.id === id ? { ...one, ...seen } : one)),
  );
  try {
    await call<SessionView>(`/sessions/${id}`, { method: "PATCH", body });
  } finally {
    await Promise.all([
      readAgain(client, "sessions"),
      client.invalidateQueries({ queryKey: sessionQuery(id).queryKey }),
    ]);
  }
}
