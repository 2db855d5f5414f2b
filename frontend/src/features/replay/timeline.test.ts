import { describe, expect, test } from "vitest";
import type { Turn } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { blocksAt, momentAt, placeOf, stepFrom, timeAt, timelineOf } from "./timeline";

const START = Date.parse("2026-11-20T10:00:00Z");
const at = (millis: number) => new Date(START + millis).toISOString();

/** Thinks for 2 s, calls a tool that waits a minute for a person and runs 4 s, and responds for 2 s. */
const turn: Turn = {
  ...emptyTurn,
  status: "finished",
  createdAt: at(0),
  finishedAt: at(70_000),
  blocks: [
    { mode: "thinking", index: 0, createdAt: at(1_000), closedAt: at(3_000), content: "0123456789" },
    {
      mode: "tool",
      index: 1,
      createdAt: at(3_000),
      closedAt: at(67_500),
      content: {
        callId: "c1",
        name: "run_command",
        parameters: { command: "make" },
        state: "done",
        output: "abcdefgh",
        response: "exit code 0",
        askedAt: at(3_500),
        startedAt: at(63_500),
        finishedAt: at(67_500),
      },
    },
    { mode: "responding", index: 2, createdAt: at(68_000), closedAt: at(70_000), content: "a👋b" },
  ],
};

const timeline = timelineOf(turn);
const call = (place: number) => {
  const block = blocksAt(timeline, place)[1];
  return block?.mode === "tool" ? block.content : undefined;
};

describe("S0-29: a turn as it stood", () => {
  test("it takes as long as it took, and ends as it ended", () => {
    expect(timeline.length).toBe(70_000);
    expect(blocksAt(timeline, 70_000)).toBe(turn.blocks);
    expect(blocksAt(timeline, 0)).toEqual([]);
  });

  test("text comes evenly between the beginning and the end of its block, and never half a character", () => {
    expect(blocksAt(timeline, 1_000)[0]).toMatchObject({ content: "", closedAt: undefined });
    expect(blocksAt(timeline, 2_000)[0]?.content).toBe("01234");
    expect(blocksAt(timeline, 3_000)[0]).toBe(turn.blocks[0]);
    expect(blocksAt(timeline, 69_000)[2]?.content).toBe("a");
    expect(blocksAt(timeline, 69_600)[2]?.content).toBe("a👋");
  });

  test("a call is queued, asks, runs and is done, and says nothing before it did", () => {
    expect(call(2_999)).toBeUndefined();
    expect(call(3_200)).toMatchObject({ state: "queued", startedAt: undefined, response: undefined });
    expect(call(40_000)).toMatchObject({ state: "awaiting_approval", output: undefined });
    expect(call(65_500)).toMatchObject({ state: "running", output: "abcd", finishedAt: undefined });
    expect(call(67_500)).toBe(turn.blocks[1]?.content);
  });

  test("shortened pauses keep what is said as long as it was", () => {
    const short = timelineOf(turn, true);
    // 1 s to the first word, 2 s of thought, 0.5 s queued, 2 of 60 s waiting, 2 of 4 s running, 0.5 s, 2 s of response.
    expect(short.length).toBe(10_000);
    expect(timeAt(short, 4_500) - START).toBe(33_500);
    for (const place of [0, 700, 2_000, 4_500, 9_000, 10_000]) {
      expect(placeOf(short, timeAt(short, place))).toBeCloseTo(place);
    }
    expect(blocksAt(short, 2_000)[0]?.content).toBe("01234");
  });

  test("steps go from one thing that happened to the next, and back", () => {
    const words: string[] = [];
    let place = 0;
    while (place < timeline.length) {
      place = stepFrom(timeline, place, 1);
      words.push(momentAt(timeline, place).words);
    }
    expect(words).toEqual([
      "The model thinks",
      "run_command is called",
      "run_command waits for a person",
      "run_command runs",
      "run_command is done",
      "The model responds",
      "The turn is finished",
    ]);
    expect(stepFrom(timeline, 3_500, -1)).toBe(3_000);
    expect(stepFrom(timeline, 0, -1)).toBe(0);
  });

  test("a text that was cut is marked from where it is said again", () => {
    const [thought, tool, response] = turn.blocks;
    if (!thought || !tool || !response) throw new Error("three blocks");
    const cut = timelineOf({ ...turn, blocks: [{ ...thought, superseded: true }, tool, response] });
    expect(blocksAt(cut, 2_000)[0]?.superseded).toBeUndefined();
    expect(blocksAt(cut, 3_000)[0]?.superseded).toBe(true);
  });

  test("a turn of very many calls is gone through as quickly as any", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      ...(turn.blocks[0] as Turn["blocks"][number]),
      index,
      createdAt: at(index * 10),
      closedAt: at(index * 10 + 5),
    }));
    const long = timelineOf({ ...turn, blocks: many, finishedAt: at(200_000) });
    const began = performance.now();
    for (let place = 0; place < 200; place += 1) stepFrom(long, place * 1_000, 1);
    for (let place = 0; place < 50; place += 1) blocksAt(long, place * 4_000);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(blocksAt(long, 100_000)).toHaveLength(10_001);
  });

  test("a turn that was stopped in mid-word, or said nothing, has an end, too", () => {
    const { blocks } = turn;
    const open = { ...blocks[0], closedAt: undefined } as Turn["blocks"][number];
    const stopped = timelineOf({ ...turn, status: "cancelled", finishedAt: at(5_000), blocks: [open] });
    expect(blocksAt(stopped, 3_000)[0]?.content).toBe("01234");
    const silent = timelineOf({ ...turn, finishedAt: at(0), blocks: [] });
    expect([silent.length, blocksAt(silent, 0), momentAt(silent, 0).words]).toEqual([
      0,
      [],
      "The turn is finished",
    ]);
  });

  describe("S0-52: with two subagents at once", () => {
    const call = (index: number, callId: string, from: number, until: number) => ({
      mode: "tool" as const,
      index,
      createdAt: at(from),
      closedAt: at(until),
      content: {
        callId,
        name: "delegate",
        parameters: { task: callId },
        state: "done" as const,
        startedAt: at(from),
        finishedAt: at(until),
      },
    });
    const says = (index: number, parent: string, from: number, until: number, superseded?: boolean) => ({
      mode: "responding" as const,
      index,
      createdAt: at(from),
      closedAt: at(until),
      parent,
      content: "0123456789",
      ...(superseded ? { superseded } : {}),
    });
    const nested = timelineOf(
      {
        ...turn,
        finishedAt: at(60_000),
        blocks: [
          call(0, "d1", 1_000, 50_000),
          call(1, "d2", 1_000, 60_000),
          says(2, "d1", 2_000, 12_000),
          says(3, "d2", 4_000, 6_000, true),
          says(4, "d1", 20_000, 30_000),
          says(5, "d2", 25_000, 35_000),
        ],
      },
      true,
    );
    const then = (time: number) => blocksAt(nested, placeOf(nested, START + time));

    test("texts of both come at the same time", () => {
      expect(then(5_000).map((block) => block.content)).toMatchObject([{}, {}, "012", "01234"]);
      expect(momentAt(nested, placeOf(nested, START + 4_000)).words).toBe("A subagent responds");
    });

    test("while any of them says something no time is a pause", () => {
      // 1 s to the calls, 1 s to the first word, 10 s of text, 2 of 8 s, 15 s of text, 2 of 15 s and 2 of 10 s.
      expect(nested.length).toBe(33_000);
    });

    test("what one said is said again by itself, not by the other", () => {
      expect(then(20_500)[3]?.superseded).toBeUndefined();
      expect(then(25_500)[3]?.superseded).toBe(true);
    });
  });
});
