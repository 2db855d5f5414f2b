import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changesQuery } from "../api/files";
import { dronesQuery, meQuery, sessionQuery, sessionsQuery } from "../api/queries";
import type {
  FailureCode,
  IdeCommandUnion,
  IdeEventUnion,
  SessionDetail,
  SessionView,
  UserView,
} from "../protocol/messages.gen";
import { emptyTurn } from "../turn/recorded";
import { Connection, isOutdated, useConnection } from "./connection";
import { socketWorks } from "./websocket-door";

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last() {
    return FakeSocket.all.at(-1) as FakeSocket;
  }
  readyState = FakeSocket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }
  heard: IdeCommandUnion[] = [];
  send(text: string) {
    this.heard.push(JSON.parse(text) as IdeCommandUnion);
  }
  /** Answers the latest command of this type. */
  answers(type: IdeCommandUnion["type"], failure?: FailureCode) {
    const command = this.heard.findLast((one) => one.type === type) as { requestId: string };
    this.says({
      type: "answer",
      requestId: command.requestId,
      ...(failure ? { failure: { code: failure, message: "Not now." } } : {}),
    });
  }
  count(type: IdeCommandUnion["type"]) {
    return this.heard.filter((one) => one.type === type).length;
  }
  close() {
    this.readyState = 3;
  }
  says(event: IdeEventUnion) {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
}

const welcome = (serviceVersion: string): IdeEventUnion => ({
  type: "welcome",
  protocolVersion: 1,
  userId: "u",
  serviceVersion,
  heartbeatSeconds: 10,
});
const refused: IdeEventUnion = {
  type: "refused",
  failure: { code: "protocol_mismatch", message: "Reload the page." },
};

let connection: Connection;
let client: QueryClient;
let sessions: Partial<SessionView>[] = [];
let asked: string[] = [];
let headers: Record<string, string> = {};

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  FakeSocket.all = [];
  sessions = [];
  asked = [];
  headers = {};
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return new Response(
      JSON.stringify(url.includes("/sessions?") || url.endsWith("/sessions") ? { items: sessions } : {}),
      { headers },
    );
  });
  useConnection.setState(useConnection.getInitialState());
  client = new QueryClient();
  connection = new Connection(client);
});
afterEach(() => {
  connection.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the page's connection", () => {
  it("reads everything again after a cut, however short: what happened meanwhile was told to nobody", async () => {
    client.setQueryData(dronesQuery.queryKey, []);
    const stale = () => client.getQueryState(dronesQuery.queryKey)?.isInvalidated;
    FakeSocket.last.says(welcome("1"));
    expect(stale()).toBe(false);
    FakeSocket.last.onclose?.();
    expect(useConnection.getState().state).toBe("connecting");
    await vi.advanceTimersByTimeAsync(500);
    FakeSocket.last.says(welcome("1"));
    expect(useConnection.getState().state).toBe("live");
    expect(stale()).toBe(true);
  });

  it("is not offline by a question that fails when the connection is back already", async () => {
    let fails = (_: Error) => {};
    vi.stubGlobal("fetch", (url: string) =>
      url.includes("/me")
        ? new Promise((_, reject) => {
            fails = reject;
          })
        : Promise.resolve(Response.json({ items: [] })),
    );
    FakeSocket.last.onclose?.();
    await vi.advanceTimersByTimeAsync(1_000);
    window.dispatchEvent(new Event("online"));
    FakeSocket.last.says(welcome("1"));
    expect(useConnection.getState().state).toBe("live");
    const { last } = FakeSocket;
    fails(new TypeError("network error"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(useConnection.getState().state).toBe("live");
    expect(FakeSocket.last).toBe(last);
  });

  it("opens the session again when the service could not open it, and is live no sooner than it is open", async () => {
    FakeSocket.last.says(welcome("1"));
    connection.show("s1");
    FakeSocket.last.answers("open_session", "store_unavailable");
    expect(useConnection.getState().state).toBe("catching_up");
    await vi.advanceTimersByTimeAsync(500);
    FakeSocket.last.answers("open_session", "store_unavailable");
    expect(FakeSocket.last.count("open_session")).toBe(2);
    await vi.advanceTimersByTimeAsync(1_000);
    FakeSocket.last.answers("open_session");
    expect(FakeSocket.last.count("open_session")).toBe(3);
    expect(useConnection.getState().state).toBe("live");

    connection.show("gone");
    FakeSocket.last.answers("open_session", "not_found");
    expect(useConnection.getState().state).toBe("live");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(FakeSocket.last.count("open_session")).toBe(4);
  });

  it("asks no more for a session that is not shown any more", async () => {
    FakeSocket.last.says(welcome("1"));
    connection.show("s1");
    FakeSocket.last.answers("open_session", "store_unavailable");
    connection.show(undefined);
    expect(useConnection.getState().state).toBe("live");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeSocket.last.count("open_session")).toBe(1);
  });

  it("follows a turn that misses something again when the service could not tell of it", async () => {
    FakeSocket.last.says(welcome("1"));
    connection.show("s1");
    FakeSocket.last.answers("open_session");
    const turn = { ...emptyTurn, id: "t1", sessionId: "s1", status: "processing" } as const;
    FakeSocket.last.says({
      type: "turn_changed",
      turnId: "t1",
      changes: [{ kind: "snapshot", turn }],
      cursor: "c",
    });
    FakeSocket.last.says({
      type: "turn_changed",
      turnId: "t1",
      changes: [{ kind: "block_closed", index: 7, closedAt: turn.createdAt }],
      cursor: "d",
    });
    await vi.advanceTimersByTimeAsync(300);
    FakeSocket.last.answers("follow_turn", "internal");
    await vi.advanceTimersByTimeAsync(500);
    expect(FakeSocket.last.count("follow_turn")).toBe(2);
    FakeSocket.last.answers("follow_turn");
    expect(useConnection.getState().state).toBe("live");
  });

  it("forgets with the door that things were not stored", () => {
    FakeSocket.last.says(welcome("1"));
    FakeSocket.last.says({ type: "durability_changed", saved: false });
    expect(useConnection.getState().saved).toBe(false);
    connection.choose("polling");
    expect(useConnection.getState().saved).toBe(true);
  });

  it("knows when the service is another one than the page is from", async () => {
    const outdated = () => isOutdated(useConnection.getState());
    expect(outdated()).toBe(false);
    FakeSocket.last.says(welcome("1"));
    expect(outdated()).toBe(false);
    FakeSocket.last.onclose?.();
    await vi.advanceTimersByTimeAsync(500);
    FakeSocket.last.says(welcome("2"));
    expect(outdated()).toBe(true);
  });

  it("knows when the service does not speak the page's protocol, and takes no refusal for a way through", async () => {
    FakeSocket.last.says(refused);
    expect(isOutdated(useConnection.getState())).toBe(true);

    const works = socketWorks();
    FakeSocket.last.says(refused);
    await expect(works).resolves.toBe(false);
    const worksNow = socketWorks();
    FakeSocket.last.says(welcome("1"));
    await expect(worksNow).resolves.toBe(true);
  });

  it("S4-01, S4-45: without a socket is told with each answer what is not stored, and that the service is another one", async () => {
    const { saved, outdated } = {
      saved: () => useConnection.getState().saved,
      outdated: () => isOutdated(useConnection.getState()),
    };
    headers = { "gadget-version": "1", "gadget-saved": "false" };
    connection.choose("polling");
    await vi.advanceTimersByTimeAsync(10);
    expect([saved(), outdated()]).toEqual([false, false]);
    headers = { "gadget-version": "2", "gadget-saved": "true" };
    await vi.advanceTimersByTimeAsync(4_000);
    expect([saved(), outdated()]).toEqual([true, true]);
    headers = {};
    await vi.advanceTimersByTimeAsync(4_000);
    expect([saved(), outdated()]).toEqual([true, true]);
  });

  it("asks at once again for what the service could not do, when somebody syncs", async () => {
    const socket = FakeSocket.last;
    connection.show("s1");
    socket.says(welcome("1"));
    socket.answers("open_session", "store_unavailable");
    expect(useConnection.getState().state).toBe("catching_up");
    const before = socket.count("open_session");

    void connection.sync();

    expect(socket.count("open_session")).toBe(before + 1);
    socket.answers("open_session");
    expect(useConnection.getState().state).toBe("live");
  });

  it("behind a socket takes the socket's word for what is stored", async () => {
    FakeSocket.last.says(welcome("1"));
    headers = { "gadget-version": "1", "gadget-saved": "false" };
    await connection.sync();
    await client.fetchQuery({ ...sessionsQuery, staleTime: 0 });
    expect(useConnection.getState().saved).toBe(true);
  });

  it("without a socket reads the open session again when a turn began and ended between two looks", async () => {
    const seen = { id: "s1", updatedAt: "1", turnEndedAt: "1", turns: [] } as Partial<SessionDetail>;
    sessions = [{ id: "s1", updatedAt: "1", turnEndedAt: "1", runningTurnId: null }];
    const { queryKey } = sessionQuery("s1");
    client.setQueryData(queryKey, seen as SessionDetail);
    connection.choose("polling");
    connection.show("s1");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
    sessions = [{ ...sessions[0], turnEndedAt: "2" }];
    await vi.advanceTimersByTimeAsync(4_000);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  it("without a socket reads the open session again when it is listed no more", async () => {
    sessions = [{ id: "s1", updatedAt: "1" }];
    const { queryKey } = sessionQuery("s1");
    client.setQueryData(queryKey, { id: "s1", updatedAt: "1", turns: [] } as Partial<SessionDetail> as never);
    connection.choose("polling");
    connection.show("s1");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
    sessions = [];
    await vi.advanceTimersByTimeAsync(4_000);
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });

  it("reads a workspace again when its session changed, and when a drone is back without which it could not be read", async () => {
    const reads: Record<string, number> = { s1: 0, s2: 0 };
    const shown = ["s1", "s2"].map((id) =>
      new QueryObserver(client, {
        ...changesQuery(id),
        retry: false,
        queryFn: () => {
          reads[id] = (reads[id] ?? 0) + 1;
          return id === "s1" ? Promise.resolve({ files: [] } as never) : Promise.reject(new Error("away"));
        },
      }).subscribe(() => {}),
    );
    await vi.advanceTimersByTimeAsync(10);
    expect(reads).toEqual({ s1: 1, s2: 1 });
    FakeSocket.last.says({ type: "drone_changed", droneId: "d", status: "available" });
    await vi.advanceTimersByTimeAsync(10);
    expect(reads).toEqual({ s1: 1, s2: 2 });
    FakeSocket.last.says({ type: "session_changed", sessionId: "s1", deleted: false });
    await vi.advanceTimersByTimeAsync(10);
    expect(reads).toEqual({ s1: 2, s2: 2 });
    for (const leave of shown) leave();
  });

  it("forgets what it knows when somebody else has signed in from another tab", () => {
    const { queryKey } = sessionQuery("s1");
    const me = { id: "u" } as UserView;
    client.setQueryData(meQuery.queryKey, me);
    client.setQueryData(queryKey, { id: "s1", turns: [] } as Partial<SessionDetail> as never);
    FakeSocket.last.says(welcome("1"));
    expect(client.getQueryData(queryKey)).toBeDefined();
    FakeSocket.last.says({ ...welcome("1"), userId: "another" } as IdeEventUnion);
    expect(client.getQueryData(queryKey)).toBeUndefined();
    expect(client.getQueryData(meQuery.queryKey)).toBeUndefined();
  });

  it("S4-26: begins with the door that was found when the page is loaded again, until a socket gets through", async () => {
    const door = () => useConnection.getState().door;
    const again = () => {
      connection.stop();
      FakeSocket.all = [];
      connection = new Connection(client);
    };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      FakeSocket.last.onclose?.();
      await vi.advanceTimersByTimeAsync(1_500);
    }
    expect(door()).toBe("sse");
    again();
    expect(door()).toBe("sse");
    expect(FakeSocket.all).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(60_000);
    FakeSocket.last.says(welcome("1"));
    await vi.advanceTimersByTimeAsync(10);
    expect(door()).toBe("websocket");
    again();
    expect(door()).toBe("websocket");
  });

  it("without a socket follows no prompt that waits, but looks at once whether it began", async () => {
    connection.choose("polling");
    connection.show("s1");
    await vi.advanceTimersByTimeAsync(10);
    asked = [];
    connection.began({ turnId: "t1", status: "queued" });
    await vi.advanceTimersByTimeAsync(10);
    expect(asked.some((url) => url.includes("/turns/"))).toBe(false);
    expect(asked.some((url) => url.includes("/sessions"))).toBe(true);
    connection.began({ turnId: "t1", status: "processing" });
    expect(asked.some((url) => url.includes("/turns/t1/events"))).toBe(true);
  });
});
