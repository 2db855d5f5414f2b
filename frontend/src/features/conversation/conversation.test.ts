import { describe, expect, test } from "vitest";
import type { Turn } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { copyOf } from "../../turn/reducer";
import { conversation, waits } from "./conversation";

const turn = (id: string, part: Partial<Turn> = {}): Turn => ({ ...emptyTurn, id, ...part });
const ids = (turns: { turn: Turn }[]) => turns.map((copy) => copy.turn.id);

describe("the turns of a session", () => {
  test("stored and live turns once each, in their order", () => {
    const first = turn("a", { status: "finished", createdAt: "2026-11-20T10:00:00Z" });
    const second = turn("b", { status: "processing", createdAt: "2026-11-20T10:01:00Z" });
    const shown = conversation("s1", [first, second], { b: copyOf(second) });
    expect(ids(shown)).toEqual(["a", "b"]);
  });

  test("turns of another session are not shown", () => {
    expect(conversation("s2", [], { a: copyOf(turn("a")) })).toEqual([]);
  });

  test("the live copy is ahead of the stored one until the stored one has ended", () => {
    const live = copyOf(turn("a", { status: "awaiting_approval" }));
    expect(conversation("s1", [turn("a", { status: "processing" })], { a: live })).toEqual([live]);
    expect(conversation("s1", [turn("a", { status: "finished" })], { a: live })[0]?.turn.status).toBe(
      "finished",
    );
  });

  test("a turn that goes on after an interruption is shown as it goes on, also when the interruption was read", () => {
    const live = copyOf(turn("a", { status: "awaiting_approval" }));
    const stored = turn("a", { status: "interrupted", finishedAt: "2026-11-20T10:05:00Z" });
    expect(conversation("s1", [stored], { a: live })).toEqual([live]);
  });

  test("a stored turn keeps its copy, so that it is not drawn again", () => {
    const stored = [turn("a", { status: "finished" })];
    expect(conversation("s1", stored, {})[0]).toBe(conversation("s1", stored, {})[0]);
  });

  test("a queued turn waits, unless it is the one that its session runs", () => {
    const queued = copyOf(turn("a", { status: "queued" }));
    expect(waits(queued, "b")).toBe(true);
    expect(waits(queued, "a")).toBe(false);
    expect(waits(copyOf(turn("a", { status: "processing" })), null)).toBe(false);
  });
});
