import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { systemQuery, usersQuery } from "../../api/queries";
import type { ProcessView, SystemView } from "../../protocol/messages.gen";
import { onPage } from "../../ui/on-page";
import { SystemSection } from "./system-section";

const memory = { usedBytes: 64 * 1024 * 1024, maxBytes: 256 * 1024 * 1024 };
const turns = { running: 1, waiting: 2, ended: 0 };
const answers: ProcessView = {
  id: "p1",
  version: "1.1",
  host: "pod-1",
  startedAt: "2026-01-01T00:00:00Z",
  seenAt: "2026-01-01T00:01:00Z",
  answers: true,
  silent: false,
  memory,
  turns,
  saved: true,
  unsavedTurns: 0,
  doors: [
    { door: "drone", readers: 1 },
    { door: "websocket", readers: 2 },
    { door: "events", readers: 3 },
    { door: "polling", readers: 4 },
  ],
};
const system = {
  service: {
    version: "1.1",
    protocolVersion: 1,
    java: "Java",
    host: "pod-1",
    startedAt: answers.startedAt,
    load: { processors: 2 },
  },
  memory,
  store: { kind: "mongodb", saved: true, unsavedTurns: 0 },
  turns,
  doors: answers.doors,
  drones: [],
  processes: [
    answers,
    {
      ...answers,
      id: "p2",
      host: "pod-2",
      version: "1.0",
      answers: false,
      silent: true,
      saved: false,
      unsavedTurns: 3,
    },
  ],
} as SystemView;

function shown(data: SystemView) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(systemQuery.queryKey, data);
  client.setQueryData(usersQuery.queryKey, []);
  const { place, leave } = onPage(<SystemSection />, client);
  const rows = [...place.querySelectorAll('[data-testid="system-process"]')].map((row) => row.textContent);
  leave();
  return rows;
}

it("tells of each process what it does, which one answers, and which one is silent, of another version or behind with the store", () => {
  const [first, second] = shown(system);
  expect(first).toMatch(/^pod-1answersVersion 1\.1 · up for /);
  expect(first).toContain(
    "1 drone · 2 pages · 7 other readers · 0 terminals · 1 turn running, 2 waiting · all stored · heap 64 of 256 MiB",
  );
  expect(second).toMatch(/^pod-2not seen since .*Version 1\.0 · started /);
  expect(second).toContain("3 turns not saved yet");
  expect(second).toContain("another version than the one that answers");
});

it("does without the list where an older process answers", () => {
  expect(shown({ ...system, processes: undefined } as unknown as SystemView)).toEqual([]);
});
