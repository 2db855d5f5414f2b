import { expect, it, vi } from "vitest";
import type { Turn, TurnChangeUnion } from "../protocol/messages.gen";
import { emptyTurn } from "../turn/recorded";
import { Feed } from "./feed";

function feed() {
  const changed = vi.fn();
  const ended = vi.fn();
  const gap = vi.fn();
  const made = new Feed({ changed, ended, gap }, () => () => {});
  return { made, changed, ended, gap };
}

const snapshot = (status: Turn["status"]): TurnChangeUnion => ({
  kind: "snapshot",
  turn: { ...emptyTurn, status },
});

const cancelled: TurnChangeUnion = {
  kind: "done",
  status: "cancelled",
  usage: emptyTurn.usage,
  stats: emptyTurn.stats,
  finishedAt: "2026-11-20T10:00:00Z",
};

it("a prompt that a busy drone gave back and that is then removed does not stay as a cancelled turn", () => {
  const { made, changed, ended } = feed();
  made.receive("t1", [snapshot("queued")], "a.0.0.0");
  made.flush();

  made.receive("t1", [cancelled], "a.1.0.0");
  made.flush();

  expect(changed).toHaveBeenLastCalledWith({});
  expect(made.cursorOf("t1")).toBeUndefined();
  expect(ended, "the session is read again, which knows").toHaveBeenCalledOnce();
});

it("a turn that began stays when it is cancelled", () => {
  const { made, ended } = feed();
  made.receive("t1", [snapshot("processing")], "a.0.0.0");
  made.flush();

  made.receive("t1", [cancelled], "a.1.0.0");

  expect(made.over("t1")).toBe(true);
  expect(ended).toHaveBeenCalledOnce();
});

it("what another answer still tells of a prompt that was taken back is not shown, until another session is read", () => {
  const { made, changed, ended } = feed();
  made.receive("t1", [snapshot("queued")], "a.0.0.0");
  made.flush();
  made.receive("t1", [cancelled], "a.1.0.0");
  made.receive("t1", [snapshot("cancelled")], "a.1.0.0");
  made.flush();

  made.receive("t1", [snapshot("cancelled")], "a.1.0.0");
  made.flush();

  expect(changed).toHaveBeenLastCalledWith({});
  expect(ended).toHaveBeenCalledOnce();
  expect(made.cursorOf("t1")).toBeUndefined();
  expect(made.ended("t1")).toBe(true);
  expect(made.over("t1")).toBe(true);
  made.clear();
  expect(made.ended("t1")).toBe(false);
});
