import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { MOST_LISTED, sessionsQuery } from "./queries";

it("reads a list in as few requests as the service allows, and not without end", async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(new URL(path, "http://localhost").searchParams);
    const items = Array.from({ length: 200 }, (_, at) => ({ id: `${asked.length}-${at}` }));
    return Response.json({ items, next: `after ${asked.length}` });
  });
  const sessions = await new QueryClient().fetchQuery(sessionsQuery);
  expect(asked.slice(0, 2).map(String)).toEqual(["limit=200", "limit=200&cursor=after+1"]);
  expect(sessions).toHaveLength(MOST_LISTED);
});
