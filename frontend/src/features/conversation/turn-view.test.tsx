import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { BlockUnion, ToolCallState, Turn } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import type { TurnCopy } from "../../turn/reducer";
import { button, click, one, onPage } from "../../ui/on-page";
import { type Resend, ResendContext } from "./resend";
import { GrowingRow, RetryRow, TurnPart } from "./turn-view";

afterEach(() => void vi.useRealTimers());

it("a retry is announced once, however long it counts down", () => {
  vi.useFakeTimers();
  const page = onPage(
    <RetryRow
      retrying={{
        kind: "retrying",
        attempt: 1,
        delayMillis: 20_000,
        failure: { code: "rate_limited", message: "Too many requests" },
      }}
    />,
  );
  const announced = () => one(page.place, '[role="status"]').textContent;
  expect(announced()).toBe("Too many requests. Attempt 2");
  expect(page.place.textContent).toContain("in 20 s");
  act(() => vi.advanceTimersByTime(5_000));
  expect(page.place.textContent).toContain("in 15 s");
  expect(announced()).toBe("Too many requests. Attempt 2");
  page.leave();
});

it("G-16: a retry that was scrolled away counts on", () => {
  vi.useFakeTimers();
  const failure = { code: "rate_limited", message: "Too many requests" } as const;
  const retrying = { kind: "retrying", attempt: 1, delayMillis: 20_000, failure } as const;
  const page = onPage(<RetryRow retrying={retrying} />);
  page.again(null);
  act(() => vi.advanceTimersByTime(5_000));
  page.again(<RetryRow retrying={retrying} />);
  expect(page.place.textContent).toContain("in 15 s");
  page.leave();
});

const AT = "2026-11-20T10:00:00Z";
const text = (closedAt?: string): BlockUnion => ({
  mode: "responding",
  index: 0,
  createdAt: AT,
  ...(closedAt ? { closedAt } : {}),
  content: "I look.",
});
const tool = (state: ToolCallState, index = 1): BlockUnion => ({
  mode: "tool",
  index,
  createdAt: AT,
  content: { callId: `c${index}`, name: "read_file", parameters: { path: "a.txt" }, state },
});
const turnPart = (copy: TurnCopy) => (
  <TurnPart copy={copy} from={0} to={copy.turn.blocks.length} first last />
);

it.each<[string, boolean, BlockUnion[]]>([
  ["nothing came yet", true, []],
  ["the model speaks", false, [text()]],
  ["it ended a text", true, [text(AT)]],
  ["a call runs", false, [text(AT), tool("running")]],
  ["a call asks", false, [text(AT), tool("awaiting_approval")]],
  ["one of two calls waits for its place", false, [text(AT), tool("done"), tool("queued", 2)]],
  ["its calls are over", true, [text(AT), tool("done"), tool("denied", 2)]],
])("S0-39: that the model is waited for is said when nothing else moves: %s", (_, said, blocks) => {
  const turn = { ...emptyTurn, status: "processing", blocks } as const;
  const page = onPage(turnPart({ turn, retrying: null, growing: null }));
  const says = () => page.place.textContent?.includes("Waiting for the model");
  expect(says()).toBe(said);
  const failure = { code: "rate_limited", message: "Too many requests" } as const;
  page.again(
    turnPart({ turn, retrying: { kind: "retrying", attempt: 1, delayMillis: 9, failure }, growing: null }),
  );
  expect(says()).toBe(false);
  page.again(turnPart({ turn: { ...turn, status: "finished" }, retrying: null, growing: null }));
  expect(says()).toBe(false);
  page.leave();
});

it("a call that runs can be stopped, and not while its drone is away", () => {
  const turn: Turn = { ...emptyTurn, status: "processing", blocks: [tool("running")] };
  const page = onPage(turnPart({ turn, retrying: null, growing: null }));
  const stop = () => page.place.querySelector('[data-testid="call-stop"]');
  expect(stop()).not.toBeNull();
  page.again(turnPart({ turn: { ...turn, status: "interrupted" }, retrying: null, growing: null }));
  expect(stop()).toBeNull();
  page.again(turnPart({ turn, retrying: null, growing: null }));
  expect(stop()).not.toBeNull();
  page.leave();
});

it("a turn that reached a limit goes on with a click, when it is the last one", async () => {
  const sent: string[] = [];
  const turn = { ...emptyTurn, status: "budget_reached" } as const;
  const view = (resend: Partial<Resend>) => (
    <ResendContext
      value={{
        send: (prompt) => sent.push(prompt),
        canSend: true,
        branch() {},
        canBranch: false,
        worktree: false,
        sessionId: "s1",
        changedSince: () => [],
        lastTurnId: turn.id,
        ...resend,
      }}
    >
      {turnPart({ turn, retrying: null, growing: null })}
    </ResendContext>
  );
  const page = onPage(view({}));
  await click(button(page.place, "Continue"));
  expect(sent).toEqual(["Go on."]);
  page.again(view({ canSend: false }));
  expect(button(page.place, "Continue").disabled).toBe(true);
  page.again(view({ lastTurnId: "t2" }));
  expect(page.place.textContent).not.toContain("Continue");
  page.leave();
});

it("S4-02: a call that the model writes is announced once, however much of it came", () => {
  const page = onPage(<GrowingRow growing={{ kind: "call_grows", name: "write_file", chars: 700 }} />);
  expect(page.place.textContent).toBe("Writing write_file … 700 characters");
  expect(one(page.place, '[role="status"]').textContent).toBe("Writing write_file");
  page.leave();
});
