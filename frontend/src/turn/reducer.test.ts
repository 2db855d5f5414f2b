import { describe, expect, test } from "vitest";
import type { TurnChangeUnion } from "../protocol/messages.gen";
import { emptyTurn, recorded, recordedNested } from "./recorded";
import { apply, applyAll, copyOf, GapError, type TurnCopy } from "./reducer";

const whole = applyAll(undefined, recorded) as TurnCopy;

/** The same stream with its texts cut into smaller pieces at this place of each text; whose it is says only the beginning. */
function cutAt(stream: readonly TurnChangeUnion[], place: number): TurnChangeUnion[] {
  return stream.flatMap((change): TurnChangeUnion[] => {
    if (change.kind !== "text_delta" && change.kind !== "tool_output") return [change];
    const at = Math.min(place, change.text.length);
    const rest = { ...change, offset: change.offset + at, text: change.text.slice(at) };
    if (rest.kind === "text_delta" && at > 0) {
      delete rest.parent;
      delete rest.createdAt;
    }
    return [{ ...change, text: change.text.slice(0, at) }, rest];
  });
}

describe("a turn from its changes", () => {
  test("S0-22: modes in their order, texts whole, the tool call with its output", () => {
    expect(whole.turn.blocks.map((block) => block.mode)).toEqual([
      "thinking",
      "responding",
      "tool",
      "responding",
    ]);
    expect(whole.turn.blocks[0]?.content).toBe("The file says it. 👋🏽");
    expect(whole.turn.blocks[1]?.superseded).toBe(true);
    expect(whole.turn.blocks[2]?.content).toMatchObject({
      state: "done",
      output: "hello\nworld\n",
      response: "exit code 0",
    });
    expect(whole.turn.blocks[3]?.content).toBe("It says **hello world**.\nAnything else?");
    expect(whole.turn.status).toBe("finished");
    expect(whole.turn.usage.outputTokens).toBe(64);
    expect(whole.turn.files?.total).toBe(1);
    expect(whole.retrying).toBeNull();
  });

  test("F22: a turn that is told in pieces from its start empties nobody's page, and is shown when it came as far", () => {
    const said = (index: number, offset: number, text: string): TurnChangeUnion => ({
      kind: "text_delta",
      index,
      mode: index === 0 ? "thinking" : "responding",
      offset,
      text,
    });
    const first: TurnChangeUnion = { kind: "snapshot", turn: { ...emptyTurn, status: "processing" } };
    const shown = applyAll(undefined, [first, said(0, 0, "Hm."), said(1, 0, "It is ")]) as TurnCopy;

    const begun = applyAll(shown, [first, said(0, 0, "Hm.")]) as TurnCopy;
    const further = apply(begun, said(1, 0, "It"));
    const there = apply(further, said(1, 2, " is a shop"));
    const short = applyAll(begun, [{ kind: "status", status: "interrupted" }]);

    expect(begun.turn).toBe(shown.turn);
    expect(further.turn).toBe(shown.turn);
    expect(there.turn.blocks.map((block) => block.content)).toEqual(["Hm.", "It is a shop"]);
    expect(there.coming).toBeUndefined();
    expect(short?.turn).toMatchObject({ status: "interrupted", blocks: [{ content: "Hm." }] });
    expect(() => apply(begun, said(1, 4, "shop"))).toThrow(GapError);
  });

  test("a call that grows is shown until something else comes", () => {
    const grows = (chars: number): TurnChangeUnion => ({ kind: "call_grows", name: "write_file", chars });
    const writing = applyAll(copyOf(emptyTurn), [grows(700), grows(1_400)]) as TurnCopy;
    expect(writing.growing).toMatchObject({ name: "write_file", chars: 1_400 });
    expect(writing.turn.blocks).toEqual([]);
    const said: TurnChangeUnion = {
      kind: "text_delta",
      index: 0,
      mode: "responding",
      offset: 0,
      text: "So.",
    };
    expect(applyAll(writing, [said])?.growing).toBeNull();
  });

  describe.each([
    ["of its own", recorded],
    ["with subagents", recordedNested],
  ])("%s", (_, stream) => {
    const whole = applyAll(undefined, stream) as TurnCopy;

    test("the same document for every split of the stream", () => {
      for (let place = 0; place <= 40; place += 1) {
        expect(applyAll(undefined, cutAt(stream, place))).toEqual(whole);
      }
    });

    test("the same document when any part of the stream comes twice, as after a reconnect", () => {
      for (let from = 1; from < stream.length; from += 1) {
        for (let to = from; to <= stream.length; to += 1) {
          const again = [...stream.slice(0, to), ...stream.slice(from)];
          expect(applyAll(undefined, again)).toEqual(whole);
        }
      }
    });

    test("a snapshot in mid-stream replaces what was there, and the rest fits onto it", () => {
      for (let at = 1; at < stream.length; at += 1) {
        const before = applyAll(undefined, stream.slice(0, at)) as TurnCopy;
        const stale = apply(copyOf(emptyTurn), { kind: "snapshot", turn: before.turn });
        expect(applyAll(stale, stream.slice(at))?.turn).toEqual(whole.turn);
      }
    });
  });

  test("S0-52: texts of several subagents grow side by side, and each block knows whose it is", () => {
    const { blocks } = (applyAll(undefined, recordedNested) as TurnCopy).turn;
    expect(blocks.map((block) => (block.mode === "prompt" ? undefined : block.parent))).toEqual([
      undefined,
      undefined,
      undefined,
      "d1",
      "d2",
      "d1",
      "d2",
      "d1",
      "d2",
      undefined,
    ]);
    expect(blocks[3]?.content).toBe("Which file? 👋🏽");
    expect(blocks[4]?.content).toBe("Where is it?");
    expect(blocks[5]?.content).toMatchObject({ state: "done", output: "let total" });
    expect(blocks[6]).toMatchObject({ superseded: true, content: "It is " });
    expect(blocks[8]?.content).toBe("There is none.");
  });

  test("blocks that did not change keep their identity, so that they are not drawn again", () => {
    const before = applyAll(undefined, recorded.slice(0, 7)) as TurnCopy;
    const after = apply(before, { kind: "text_delta", index: 1, mode: "responding", offset: 11, text: "!" });
    expect(after.turn.blocks[0]).toBe(before.turn.blocks[0]);
    expect(after.turn.blocks[1]).not.toBe(before.turn.blocks[1]);
    expect(apply(after, { kind: "text_delta", index: 1, mode: "responding", offset: 11, text: "!" })).toBe(
      after,
    );
  });

  test("what does not fit is a gap, never a wrong text", () => {
    const copy = applyAll(undefined, recorded.slice(0, 5)) as TurnCopy;
    const delta = { kind: "text_delta", mode: "thinking" } as const;
    expect(() => apply(copy, { ...delta, index: 0, offset: 99, text: "x" })).toThrow(GapError);
    expect(() => apply(copy, { ...delta, index: 1, offset: 3, text: "x" })).toThrow(GapError);
    expect(() => apply(copy, { ...delta, index: 5, offset: 0, text: "x" })).toThrow(GapError);
    expect(() => apply(copy, { ...delta, mode: "responding", index: 0, offset: 0, text: "x" })).toThrow(
      GapError,
    );
    expect(() => apply(copy, { kind: "tool_output", index: 0, offset: 0, text: "x" })).toThrow(GapError);
    expect(() => apply(undefined, { kind: "status", status: "processing" })).toThrow(GapError);
  });

  test("an ended turn stays ended", () => {
    expect(apply(whole, { kind: "status", status: "processing" }).turn.status).toBe("finished");
  });

  test("an interrupted turn goes on when its drone is back, and keeps nothing of the interruption", () => {
    const lost = { code: "drone_lost", message: "The drone is away." } as const;
    const asks = applyAll(undefined, recorded.slice(0, 12)) as TurnCopy;
    const { usage, stats } = asks.turn;
    const finishedAt = "2026-11-20T10:01:00Z";
    const interrupted = apply(asks, { kind: "status", status: "interrupted", error: lost, finishedAt });
    expect(interrupted.turn).toMatchObject({ status: "interrupted", error: lost, finishedAt });
    const back = apply(interrupted, { kind: "status", status: "awaiting_approval" });
    expect(back.turn).toEqual(asks.turn);
    const done = { kind: "done", status: "budget_reached", usage, stats, finishedAt } as const;
    expect(apply(interrupted, done).turn.error).toBeUndefined();
  });
});
