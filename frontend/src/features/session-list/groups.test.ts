import { describe, expect, test } from "vitest";
import type { SessionView } from "../../protocol/messages.gen";
import { aSession } from "./a-session";
import { elsewhere, listed, stateOf } from "./groups";

const session = (name: string, part: Partial<SessionView> = {}) => aSession({ id: name, name, ...part });
const projects = [
  { id: "p1", name: "Shop", slug: "shop", createdAt: "" },
  { id: "p2", name: "Till", slug: "till", createdAt: "" },
];
const shown = (result: ReturnType<typeof listed>) =>
  result.groups.map((group) => [group.title, group.sessions.map((one) => one.name)]);

describe("the list of sessions", () => {
  const sessions = [
    session("old", { updatedAt: "2026-11-20T10:00:00Z" }),
    session("kept", { pinned: true, updatedAt: "2026-11-19T10:00:00Z" }),
    session("new", { projectId: "p2", updatedAt: "2026-11-21T10:00:00Z" }),
    session("away", { archived: true }),
    session("lost", { projectId: "gone", updatedAt: "2026-11-18T10:00:00Z" }),
  ];

  test("what was pinned comes first, then the project in which something happened last", () => {
    expect(shown(listed(projects, sessions))).toEqual([
      ["Pinned", ["kept"]],
      ["Till", ["new"]],
      ["Shop", ["old"]],
      ["Another project", ["lost"]],
    ]);
    expect(listed(projects, sessions).archived.map((one) => one.name)).toEqual(["away"]);
  });

  test("a search goes over names and projects, the archive included", () => {
    expect(shown(listed(projects, sessions, "till"))).toEqual([["Till", ["new"]]]);
    expect(listed(projects, sessions, "awa").archived.map((one) => one.name)).toEqual(["away"]);
    expect(listed(projects, sessions, "nothing")).toEqual({ groups: [], archived: [] });
  });

  test("a session works, waits for somebody, has failed or rests", () => {
    expect(stateOf(session("a", { runningTurnId: "t", turnStatus: "queued" }))).toBe("running");
    expect(stateOf(session("a", { runningTurnId: "t", turnStatus: "awaiting_approval" }))).toBe("waiting");
    expect(stateOf(session("a", { turnStatus: "failed" }))).toBe("failed");
    expect(stateOf(session("a", { turnStatus: "cancelled" }))).toBe("idle");
    expect(stateOf(session("a"))).toBe("idle");
  });

  test("S4-30: what runs elsewhere, and what waits for somebody there, is counted and said", () => {
    const running = (id: string) => session(id, { runningTurnId: "t", turnStatus: "processing" });
    const waiting = (id: string) => session(id, { runningTurnId: "t", turnStatus: "awaiting_approval" });
    expect(elsewhere([running("a"), session("b")], "a")).toBeNull();
    expect(elsewhere([running("a"), running("b"), waiting("c")], "a")).toEqual({
      count: 2,
      waits: true,
      words: "1 runs, 1 waits for you",
    });
    expect(elsewhere([running("a"), running("b")], undefined)).toMatchObject({
      waits: false,
      words: "2 run",
    });
    expect(elsewhere([waiting("a"), waiting("b")], "c")?.words).toBe("2 wait for you");
  });
});
