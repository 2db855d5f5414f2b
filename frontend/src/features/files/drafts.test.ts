import { beforeEach, expect, it, vi } from "vitest";
import { draftPaths, dropDraft, keepDraft, moveDrafts, readDraft } from "./drafts";

beforeEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

it("keeps unsaved text by session and file", () => {
  expect(keepDraft("s1", "src/a.b.txt", "mine", "hash")).toBe(true);
  keepDraft("s2", "c.txt", "other", "hash");
  expect(draftPaths("s1")).toEqual(["src/a.b.txt"]);
  expect(readDraft("s1", "src/a.b.txt")).toMatchObject({ text: "mine", sha256: "hash" });
  dropDraft("s1", "src/a.b.txt");
  expect(readDraft("s1", "src/a.b.txt")).toBeNull();
  expect(draftPaths("s2")).toEqual(["c.txt"]);
});

it("takes unsaved text along when a folder is renamed, and forgets it with what is deleted", () => {
  keepDraft("s", "src/a.txt", "a", "1");
  keepDraft("s", "srcs/b.txt", "b", "2");
  moveDrafts("s", "src", "lib");
  expect(draftPaths("s")).toEqual(["lib/a.txt", "srcs/b.txt"]);
  expect(readDraft("s", "lib/a.txt")).toMatchObject({ text: "a", sha256: "1" });
  moveDrafts("s", "lib/a.txt", null);
  expect(draftPaths("s")).toEqual(["srcs/b.txt"]);
});

it("forgets what is older than a month, and what is no draft", () => {
  vi.useFakeTimers({ now: 0 });
  keepDraft("s", "old", "x", "1");
  vi.setSystemTime(31 * 24 * 3_600_000);
  localStorage.setItem("gadget.draft.s.broken", "{");
  expect(draftPaths("s")).toEqual([]);
  expect(localStorage.length).toBe(0);
});

it("keeps what a text began as while there is room, and the text in any case", () => {
  const base = "b".repeat(3_000_000);
  expect(keepDraft("s", "a.txt", "mine", "1", base)).toBe(true);
  expect(readDraft("s", "a.txt")?.base).toBe(base);
  expect(keepDraft("s", "b.txt", "other", "2", base)).toBe(true);
  expect(readDraft("s", "b.txt")).toMatchObject({ text: "other", base: null });
  moveDrafts("s", "a.txt", "c.txt");
  expect(readDraft("s", "c.txt")?.text).toBe("mine");
});
