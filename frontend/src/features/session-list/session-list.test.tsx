import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { MOST_LISTED, projectsQuery, sessionsQuery } from "../../api/queries";
import type { SessionView } from "../../protocol/messages.gen";
import { onPage } from "../../ui/on-page";

const drawn = vi.hoisted(() => vi.fn());
vi.mock("@tanstack/react-router", () => ({
  useNavigate: () => () => {},
  Link: (props: { "data-session-link": string }) => {
    drawn(props["data-session-link"]);
    return null;
  },
}));
const { SessionList } = await import("./session-list");

const session = (id: string) =>
  ({ id, name: id, projectId: "p1", createdAt: "", updatedAt: "" }) as Partial<SessionView> as SessionView;

function shown(sessions: SessionView[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(projectsQuery.queryKey, [{ id: "p1", name: "Shop" }] as never);
  client.setQueryData(sessionsQuery.queryKey, sessions);
  return onPage(<SessionList />, client);
}

it("draws only those sessions anew that are others", async () => {
  const { client, leave } = shown([session("a"), session("b")]);
  drawn.mockClear();
  const changed = [session("a"), { ...session("b"), name: "other" }];
  await act(async () => void client.setQueryData(sessionsQuery.queryKey, changed));
  await act(() => vi.waitFor(() => expect(drawn).toHaveBeenCalledWith("b")));
  expect(drawn).not.toHaveBeenCalledWith("a");
  leave();
});

it("says when there are more than it lists", () => {
  const archived = Array.from({ length: MOST_LISTED }, (_, at) => ({ ...session(`${at}`), archived: true }));
  const { place, leave } = shown(archived);
  expect(place.textContent).toContain(`More than ${MOST_LISTED.toLocaleString()}`);
  leave();
});
