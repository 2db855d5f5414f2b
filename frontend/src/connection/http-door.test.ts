import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TurnStatus } from "../protocol/messages.gen";
import { isEnded, isOver } from "../turn/reducer";
import type { DoorEvents } from "./door";
import { HttpDoor } from "./http-door";

let doors: HttpDoor[] = [];
let asked: string[] = [];

/** A page behind a door that polls, or another: what its session runs, and how its copies stand. */
function open(
  page: { running?: string; copies?: Record<string, TurnStatus> },
  name: "polling" | "sse" = "polling",
) {
  const copies = page.copies ?? {};
  const states: string[] = [];
  const events: DoorEvents = {
    state: (state) => states.push(state),
    news: vi.fn(),
    changes: vi.fn(),
    cursorOf: () => undefined,
    unfinished: () => [],
    ended: (id) => copies[id] !== undefined && isEnded(copies[id]),
    over: (id) => copies[id] !== undefined && isOver(copies[id]),
    lookAround: vi.fn(async () => page.running),
    blocked: vi.fn(),
    signedOut: vi.fn(),
  };
  const door = new HttpDoor(name, events);
  doors.push(door);
  door.show("s1");
  return { door, events, states };
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    asked.push(url);
    if (url.endsWith("/me")) return Response.json({ id: "u1" });
    await new Promise((resolve, reject) => {
      setTimeout(resolve, 25_000);
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
    return new Response(JSON.stringify({ status: "processing", events: [], cursor: "c" }));
  });
});
afterEach(() => {
  for (const door of doors) door.close();
  doors = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the door without a socket", () => {
  it("follows an interrupted turn again when its session runs it, and no turn that is over", async () => {
    open({ running: "t1", copies: { t1: "interrupted" } });
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("/turns/t1/events");

    open({ running: "t2", copies: { t2: "finished" } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
  });

  it("asks again after a 404 of something in between, and no more after one of the service", async () => {
    let answer = new Response("<h1>No route</h1>", { status: 404 });
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      return answer.clone();
    });
    const { states } = open({ running: "t1" });
    await vi.advanceTimersByTimeAsync(60_000);
    const before = asked.length;
    expect(before).toBeGreaterThan(1);
    expect(states).toContain("offline");

    answer = Response.json({ code: "not_found", title: "Not found", detail: "Gone." }, { status: 404 });
    const { door } = open({});
    asked = [];
    door.follow("t2");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.filter((url) => url.includes("/turns/t2/"))).toHaveLength(1);
  });

  it("looks at once when it is hurried while it looks", async () => {
    let answer: (running: string | undefined) => void = () => {};
    const { door, events } = open({});
    await vi.advanceTimersByTimeAsync(10);
    vi.mocked(events.lookAround).mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(4_000);
    const before = vi.mocked(events.lookAround).mock.calls.length;
    door.hurry();
    answer(undefined);
    await vi.advanceTimersByTimeAsync(10);
    expect(events.lookAround).toHaveBeenCalledTimes(before + 1);
  });

  it("asks for a turn again at once when it is hurried while it waits to do so", async () => {
    let away = true;
    const copies: Record<string, TurnStatus> = {};
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(url);
      if (away) throw new TypeError("network");
      copies.t1 = "finished";
      return Response.json({ status: "finished", events: [], cursor: "c" });
    });
    const { door, events } = open({ running: "t1", copies });
    await vi.advanceTimersByTimeAsync(60_000);
    away = false;
    const before = asked.length;

    door.hurry();
    await vi.advanceTimersByTimeAsync(0);

    expect(asked.length).toBe(before + 1);
    expect(events.changes).toHaveBeenCalled();
  });

  it("goes on looking after an error that nobody thought of", async () => {
    const { events, states } = open({});
    await vi.advanceTimersByTimeAsync(10);
    vi.mocked(events.lookAround).mockRejectedValueOnce(new Error("unheard of"));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(states.at(-1)).toBe("offline");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states.at(-1)).toBe("live");
  });

  it("S4-26: takes a stream of which nothing comes at once for one that is held back", async () => {
    const { events } = open({ running: "t1" }, "sse");
    await vi.advanceTimersByTimeAsync(12_000);
    expect(events.blocked).toHaveBeenCalledWith("sse");
  });

  it("S4-26: takes a stream that begins and then stays silent for one that is held back, too", async () => {
    vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
      if (url.endsWith("/me")) return Response.json({ id: "u1" });
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(":\n\n"));
          signal?.addEventListener("abort", () => stream.error(signal.reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const { events } = open({ running: "t1" }, "sse");
    await vi.advanceTimersByTimeAsync(15_000);
    expect(events.blocked).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(events.blocked).toHaveBeenCalledWith("sse");
  });

  it("takes silence of a service that is away for no proxy that holds streams back", async () => {
    vi.stubGlobal(
      "fetch",
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    );
    const { events, states } = open({ running: "t1" }, "sse");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states.at(-1)).toBe("offline");
    expect(events.blocked).not.toHaveBeenCalled();
  });
});
