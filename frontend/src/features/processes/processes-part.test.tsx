import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, vi } from "vitest";
import { dronesQuery } from "../../api/queries";
import type { BackgroundProcess, SessionDetail } from "../../protocol/messages.gen";
import { button, click, one, onPage } from "../../ui/on-page";
import { usePanel } from "../panel/panel-state";
import { ProcessesPart } from "./processes-part";
import { RunningBadge } from "./running-badge";

const session = { id: "s1", workspaceId: "w1" } as Partial<SessionDetail> as SessionDetail;
const server: BackgroundProcess = {
  id: "p1",
  command: "npm run dev",
  startedAt: "2026-11-20T10:00:00Z",
  status: "running",
  lastOutput: "ready on port 5173",
};
const build: BackgroundProcess = {
  id: "p2",
  command: "make",
  startedAt: "2026-11-20T10:00:00Z",
  endedAt: "2026-11-20T10:00:05Z",
  status: "exited",
  exitCode: 2,
  lastOutput: "Error 1",
};

let processes: BackgroundProcess[];
let asked: string[];
let failing: string | null;
let release: () => void;

beforeEach(() => {
  processes = [server, build];
  asked = [];
  failing = null;
  usePanel.setState({ open: false, tab: "files" });
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: { method?: string }) => {
    const path = url.replace(/^.*\/sessions\/s1/, "");
    asked.push(`${method} ${path}`);
    if (failing) return Response.json({ code: "drone_lost", detail: failing, status: 503 }, { status: 503 });
    if (path.endsWith("/output"))
      return Response.json({ text: "one\nready on port 5173\n", complete: false });
    if (path.endsWith("/stop")) {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      const stopped = { ...server, status: "stopped", endedAt: "2026-11-20T10:01:00Z" } as BackgroundProcess;
      processes = [stopped, build];
      return Response.json(stopped);
    }
    return Response.json({ items: processes, next: null });
  });
});

async function opened(status = "available") {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(dronesQuery.queryKey, [{ id: "d1", status, workspaceId: "w1" }] as never);
  const page = onPage(
    <>
      <RunningBadge session={session} />
      <ProcessesPart session={session} />
    </>,
    client,
  );
  await vi.waitFor(() => expect(page.place.textContent).not.toContain("Asking the drone"));
  const row = (id: string) => one(page.place, `[data-process="${id}"]`);
  return { ...page, row };
}

it("what runs comes first, with how long and its last line; of what ended it says how", async () => {
  const { place, row, leave } = await opened();
  expect(
    [...place.querySelectorAll("[data-process]")].map((one) => one.getAttribute("data-process")),
  ).toEqual(["p1", "p2"]);
  expect(row("p1").textContent).toContain("npm run dev");
  expect(row("p1").textContent).toMatch(/runs for \d/);
  expect(one(row("p1"), '[data-testid="process-last"]').textContent).toBe("ready on port 5173");
  expect(row("p2").textContent).toContain("ended with exit code 2 after 5.0 s");
  expect(row("p2").querySelector('[data-testid="process-stop"]')).toBeNull();
  leave();
});

it("the head counts what runs, and leads to where it is shown", async () => {
  const { place, leave } = await opened();
  const badge = one<HTMLButtonElement>(place, '[data-testid="running-badge"]');
  expect(badge.getAttribute("aria-label")).toBe("1 command runs in the background: show");
  await click(badge);
  expect(usePanel.getState()).toMatchObject({ open: true, tab: "session" });
  leave();
});

it("the output is read only once somebody opens it", async () => {
  const { row, leave } = await opened();
  expect(asked).toEqual(["GET /processes"]);
  await click(one<HTMLButtonElement>(row("p1"), "[aria-expanded]"));
  await vi.waitFor(() => expect(row("p1").querySelector("pre")).not.toBeNull());
  expect(asked).toContain("GET /processes/p1/output");
  expect(one(row("p1"), '[data-testid="process-output"]').textContent).toContain("The end of its output");
  expect(one(row("p1"), "pre").textContent).toBe("one\nready on port 5173\n");
  leave();
});

it("one click stops it, says so until it is over, and leaves nothing to press again", async () => {
  const { place, row, leave } = await opened();
  const stop = button(row("p1"), "Stop");
  stop.focus();
  await click(stop);
  await vi.waitFor(() => expect(row("p1").textContent).toContain("Stopping …"));
  expect(one<HTMLButtonElement>(row("p1"), '[data-testid="process-stop"]').disabled).toBe(true);
  release();
  await vi.waitFor(() => expect(row("p1").textContent).toContain("stopped after 1 min 0 s"));
  expect(asked.filter((one) => one.startsWith("POST"))).toEqual(["POST /processes/p1/stop"]);
  expect(row("p1").querySelector('[data-testid="process-stop"]')).toBeNull();
  expect(place.querySelector('[data-testid="running-badge"]')).toBeNull();
  expect(place.textContent).toContain("Nothing runs.");
  leave();
});

it("a drone that cannot tell, or is away, is said in words", async () => {
  failing = "The drone does not say what runs in the background: bring it up to date.";
  const older = await opened();
  await vi.waitFor(() => expect(older.place.textContent).toContain("bring it up to date"));
  older.leave();
  asked = [];
  const away = await opened("offline");
  expect(away.place.textContent).toContain("The drone is away");
  expect(asked).toEqual([]);
  away.leave();
});
