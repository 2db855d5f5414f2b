import { expect, it } from "vitest";
import type { Turn } from "../../protocol/messages.gen";
import { changedSince } from "./put-back";

const turn = (id: string, files?: { undone: boolean }) => ({ id, files }) as Turn;

it("what a turn and those after it changed is put back, the newest first, and nothing twice", () => {
  const turns = [
    turn("a", { undone: false }),
    turn("b", { undone: false }),
    turn("c"),
    turn("d", { undone: true }),
    turn("e", { undone: false }),
  ];
  expect(changedSince(turns, "b")).toEqual(["e", "b"]);
  expect(changedSince(turns, "c")).toEqual(["e"]);
  expect(changedSince(turns, "gone")).toEqual([]);
});
