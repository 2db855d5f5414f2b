import { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { dronesQuery, sessionsQuery } from "../../api/queries";
import type { Turn } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { one, onPage } from "../../ui/on-page";
import { WaitingPrompts } from "./waiting-prompts";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ params, children }: { params: { sessionId: string }; children: ReactNode }) => (
    <a href={`/sessions/${params.sessionId}`}>{children}</a>
  ),
}));

function waits(drone: Record<string, unknown>, count = 1, runningTurnId?: string) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(dronesQuery.queryKey, [{ id: "d1", workspaceId: "w1", ...drone }] as never);
  client.setQueryData(sessionsQuery.queryKey, [
    { id: "s1", name: "Mine" },
    { id: "s2", name: "Mend the till" },
  ] as never);
  const turns = Array.from(
    { length: count },
    (_, at): Turn => ({
      ...emptyTurn,
      id: `t${at}`,
      status: "queued",
      prompt: "next",
    }),
  );
  return onPage(
    <WaitingPrompts sessionId="s1" workspaceId="w1" runningTurnId={runningTurnId} turns={turns} />,
    client,
  );
}

const words = (page: { place: HTMLElement }) =>
  one(page.place, '[data-testid="waits-for"]').textContent?.replaceAll(/\s+/g, " ");

it("a prompt that waits names the session that the drone works for, and leads there", () => {
  const page = waits({ status: "busy", currentSessionId: "s2" });
  expect(words(page)).toBe("Waits for Mend the till. Begins by itself as soon as the drone is free.");
  expect(one<HTMLAnchorElement>(page.place, '[data-testid="waits-for"] a').pathname).toBe("/sessions/s2");
  page.leave();
});

it("one that the person does not know is another session; a free drone, or the session's own turn, is none", () => {
  const unknown = waits({ status: "busy", currentSessionId: "s9" }, 2);
  expect(words(unknown)).toBe(
    "They wait for another session. They begin by themselves as soon as the drone is free.",
  );
  unknown.leave();
  const free = waits({ status: "available" });
  expect(words(free)).toBe("Begins by itself as soon as the drone is free.");
  free.leave();
  const own = waits({ status: "busy", currentSessionId: "s1" }, 1, "t9");
  expect(own.place.querySelector('[data-testid="waits-for"]')).toBeNull();
  own.leave();
});
