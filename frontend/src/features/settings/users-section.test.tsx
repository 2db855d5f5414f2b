import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { usersQuery } from "../../api/queries";
import { button, click, onPage } from "../../ui/on-page";
import { UsersSection } from "./users-section";

vi.mock("../../app/shell-context", () => ({ useMe: () => ({ id: "u1" }) }));

const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    if (method !== "GET") asked.push(`${method} ${path} ${body}`);
    return Response.json({ items: [] });
  });
});

it("locks nobody out before it said what that ends for good", async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(usersQuery.queryKey, [
    { id: "u2", name: "Ann", email: "ann@localhost", role: "member", disabled: false },
  ] as never);
  const { place, leave } = onPage(<UsersSection />, client);
  await click(button(place, "Lock out"));
  expect(asked).toEqual([]);
  expect(place.textContent).toContain("access tokens and drones");
  await click(button(place, "Really lock out?"));
  expect(asked).toEqual(['PATCH /api/v1/users/u2 {"disabled":true}']);
  leave();
});
