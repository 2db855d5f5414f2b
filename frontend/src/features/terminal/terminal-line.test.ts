import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TerminalEventUnion } from "../../protocol/messages.gen";
import { type LineState, partsOf, TerminalLine } from "./terminal-line";

class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  said: { type: string; [key: string]: unknown }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: URL) {
    FakeSocket.all.push(this);
  }
  send(text: string) {
    this.said.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  hears(event: TerminalEventUnion) {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
}

function begin() {
  const states: LineState[] = [];
  const screen = { text: "", resets: 0, earlier: [] as boolean[] };
  const line = new TerminalLine("s-1", "t-1", {
    state: (state) => states.push(state),
    reset: () => {
      screen.text = "";
      screen.resets += 1;
    },
    output: (text, earlier, shown) => {
      screen.text += text;
      screen.earlier.push(earlier);
      shown();
    },
    size: () => ({ columns: 80, rows: 24 }),
  });
  const socket = () => FakeSocket.all.at(-1) as FakeSocket;
  socket().onopen?.();
  return { line, states, screen, socket };
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the line to a terminal", () => {
  it("opens, types and acknowledges what is shown, not every piece of it", () => {
    const { line, states, screen, socket } = begin();
    expect(socket().address.pathname).toBe("/ws/terminal");
    expect(socket().said[0]).toEqual({
      type: "open",
      protocolVersion: 1,
      sessionId: "s-1",
      terminalId: "t-1",
      columns: 80,
      rows: 24,
      offset: 0,
    });
    socket().hears({ type: "opened", fresh: true, offset: 0, end: 0 });
    line.type("echo hi\r");
    socket().hears({ type: "output", offset: 0, text: "hi" });
    expect(socket().said.some(({ type }) => type === "acknowledge")).toBe(false);
    socket().hears({ type: "output", offset: 2, text: "x".repeat(40_000) });
    expect(socket().said.at(-1)).toEqual({ type: "acknowledge", offset: 40_002 });
    expect(socket().said).toContainEqual({ type: "input", text: "echo hi\r" });
    expect(screen.text.length).toBe(40_002);
    expect(states).toEqual([{ is: "open" }]);
  });

  it("comes back after a cut with its offset, and keeps the screen when nothing is missing", () => {
    const { states, screen, socket } = begin();
    socket().hears({ type: "opened", fresh: true, offset: 0, end: 0 });
    socket().hears({ type: "output", offset: 0, text: "one" });
    const first = socket();
    first.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    expect(socket()).not.toBe(first);
    socket().onopen?.();
    expect(socket().said[0]?.offset).toBe(3);
    socket().hears({ type: "opened", fresh: false, offset: 3, end: 6 });
    socket().hears({ type: "output", offset: 3, text: "two" });
    socket().hears({ type: "output", offset: 6, text: "new" });
    expect(screen).toEqual({ text: "onetwonew", resets: 1, earlier: [false, true, false] });
    expect(states.map(({ is }) => is)).toEqual(["open", "connecting", "open"]);

    socket().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    socket().onopen?.();
    socket().hears({ type: "opened", fresh: true, offset: 0, end: 0 });
    expect(screen.text).toBe("");
  });

  it("waits for a drone that is away, but not for one that gives no terminals", () => {
    const { states, socket } = begin();
    socket().hears({ type: "refused", failure: { code: "no_drone", message: "away" } });
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all.length).toBe(2);
    socket().onopen?.();
    socket().hears({ type: "refused", failure: { code: "forbidden", message: "off" } });
    vi.advanceTimersByTime(600_000);
    expect(FakeSocket.all.length).toBe(2);
    expect(states.map((state) => state.is === "refused" && state.passes)).toEqual([true, false]);
  });

  it("says with what the shell exited, and that the sign-in is over, and does not come back", () => {
    const { states, socket } = begin();
    socket().hears({ type: "opened", fresh: true, offset: 0, end: 0 });
    socket().hears({ type: "closed", exitCode: 7 });
    const other = begin();
    other.socket().onclose?.({ code: 4401 });
    vi.advanceTimersByTime(600_000);
    expect(FakeSocket.all.length).toBe(2);
    expect(states.at(-1)).toEqual({ is: "closed", exitCode: 7 });
    expect(other.states.at(-1)).toEqual({ is: "signed_out" });
  });

  it("takes a connection that says nothing for a lost one", () => {
    const { states, socket } = begin();
    socket().hears({ type: "opened", fresh: true, offset: 0, end: 0 });
    vi.advanceTimersByTime(40_000);
    expect(states.map(({ is }) => is)).toContain("connecting");
  });

  it("cuts what is pasted into parts, and no character in two", () => {
    const text = `${"x".repeat(16_383)}😀${"y".repeat(20_000)}`;
    const parts = partsOf(text);
    expect(parts.join("")).toBe(text);
    expect(parts[0]?.length).toBe(16_383);
    expect(parts.every((part) => part.length <= 16_384)).toBe(true);
    expect(partsOf("")).toEqual([]);
  });
});
