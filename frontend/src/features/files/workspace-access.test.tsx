import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dronesQuery } from "../../api/queries";
import type { DroneView, SessionDetail } from "../../protocol/messages.gen";
import { onPage } from "../../ui/on-page";
import { useWorkspaceAccess, type WorkspaceAccess } from "./workspace-access";

const session = { id: "s1", workspaceId: "w1" } as SessionDetail;
let modes: string[];
let access: Record<string, WorkspaceAccess>;

beforeEach(() => {
  vi.useFakeTimers();
  modes = [];
  access = {};
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const { mode } = JSON.parse(body) as { mode: string };
    modes.push(mode);
    return Response.json({ workspaceId: "w1", mode });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Panel({ name, unsaved = false }: { name: string; unsaved?: boolean }) {
  access[name] = useWorkspaceAccess(session, unsaved);
  return null;
}

function show(unsaved: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(dronesQuery.queryKey, [
    { id: "d", workspaceId: "w1", status: "available", workspaceMode: "idle" } as DroneView,
  ]);
  const panels = (dirty: boolean) => (
    <>
      <Panel name="files" unsaved={dirty} />
      <Panel name="changes" />
    </>
  );
  const page = onPage(panels(unsaved), client);
  return { ...page, typed: (dirty: boolean) => page.again(panels(dirty)) };
}

const take = (name: string) => act(() => access[name]?.takeOver());
const wait = (millis: number) => act(() => vi.advanceTimersByTimeAsync(millis));

it("what is unsaved in one panel keeps the workspace that another one took too", async () => {
  const page = show(true);
  await take("files");
  await take("changes");
  await wait(200_000);
  expect(access.files?.mode).toBe("user");
  expect(modes).not.toContain("idle");

  page.typed(false);
  await wait(20_000);
  expect(access.files?.mode).toBe("idle");
  page.leave();
});

it("the workspace is given back once, with the last panel", async () => {
  const page = show(false);
  await take("changes");
  await wait(30_000);
  expect(modes).toEqual(["user", "user", "user"]);
  page.again(<Panel name="files" />);
  expect(modes).not.toContain("idle");
  page.leave();
  expect(modes.filter((mode) => mode === "idle")).toHaveLength(1);
});
