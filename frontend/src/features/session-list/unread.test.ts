import { describe, expect, test } from "vitest";
import { aSession } from "./a-session";
import { isUnread, looked } from "./unread";

const NOTHING = { since: null, ends: {} };
const ended = (id: string, turnEndedAt: string) => aSession({ id, turnEndedAt, turnStatus: "finished" });

describe("what nobody has seen", () => {
  test("what had ended before the first look is seen", () => {
    const sessions = [ended("a", "2026-11-20T10:00:00Z"), aSession({ id: "b" })];
    const seen = looked(NOTHING, sessions, undefined);
    expect(sessions.some((one) => isUnread(one, seen))).toBe(false);
  });

  test("what ends later is not, until its session is open", () => {
    const first = looked(NOTHING, [ended("a", "2026-11-20T10:00:00Z")], undefined);
    const later = [ended("a", "2026-11-20T10:05:00Z"), ended("b", "2026-11-20T10:06:00Z")];
    expect(later.map((one) => isUnread(one, first))).toEqual([true, true]);
    const second = looked(first, later, "a");
    expect(later.map((one) => isUnread(one, second))).toEqual([false, true]);
  });

  test("nothing changes when there is nothing new", () => {
    const first = looked(NOTHING, [ended("a", "2026-11-20T10:00:00Z")], "a");
    expect(looked(first, [ended("a", "2026-11-20T10:00:00Z")], "a")).toBe(first);
    expect(looked(first, [aSession({ id: "c" })], "c")).toBe(first);
  });

  test("before anything ended the first end is news", () => {
    const first = looked(NOTHING, [aSession({ id: "a" })], undefined);
    expect(isUnread(ended("a", "2026-11-20T10:00:00Z"), first)).toBe(true);
  });
});
