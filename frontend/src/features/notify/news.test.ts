import { describe, expect, test } from "vitest";
import type { SessionView } from "../../protocol/messages.gen";
import { aSession } from "../session-list/a-session";
import { newsBetween } from "./news";

const rests = aSession({ turnStatus: "finished", turnEndedAt: "2026-11-21T10:00:00Z" });
const runs: SessionView = { ...rests, runningTurnId: "t2", turnStatus: "processing", turnEndedAt: null };
const asks: SessionView = { ...runs, turnStatus: "awaiting_approval" };
const ended = (turnStatus: SessionView["turnStatus"]): SessionView => ({
  ...rests,
  turnStatus,
  turnEndedAt: "2026-11-21T10:05:00Z",
});
const kinds = (before: SessionView[], after: SessionView[]) =>
  newsBetween(before, after).map((one) => one.kind);

describe("news of sessions", () => {
  test("a turn that asks is told once", () => {
    expect(kinds([runs], [asks])).toEqual(["asks"]);
    expect(kinds([rests], [asks])).toEqual(["asks"]);
    expect(kinds([asks], [asks])).toEqual([]);
  });

  test("an end is told, a failure as such, and what the person stopped is not", () => {
    expect(kinds([runs], [ended("finished")])).toEqual(["ended"]);
    expect(kinds([asks], [ended("failed")])).toEqual(["failed"]);
    expect(kinds([runs], [ended("interrupted")])).toEqual(["failed"]);
    expect(kinds([runs], [ended("cancelled")])).toEqual([]);
  });

  test("an end that was not seen to begin is one, too", () => {
    expect(kinds([rests], [ended("finished")])).toEqual(["ended"]);
  });

  test("beginnings, new sessions and what stays the same are no news", () => {
    expect(kinds([rests], [runs])).toEqual([]);
    expect(kinds([], [rests])).toEqual([]);
    expect(kinds([rests], [rests])).toEqual([]);
  });
});
