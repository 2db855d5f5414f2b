import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { sessionsQuery } from "../../api/queries";
import type { SessionView } from "../../protocol/messages.gen";
import { onPage } from "../../ui/on-page";
import { aSession } from "../session-list/a-session";
import { useAttention } from "../session-list/use-attention";
import { useNotify } from "./notifications";
import { useTitle } from "./page-title";

vi.mock("@tanstack/react-router", () => ({
  useNavigate: () => () => {},
  useParams: () => ({ sessionId: "open" }),
}));

const open = aSession({ id: "open", name: "Shop" });
const runs = aSession({ id: "other", name: "Stock", runningTurnId: "t2", turnStatus: "processing" });
const asks: SessionView = { ...runs, turnStatus: "awaiting_approval" };
const ended: SessionView = {
  ...runs,
  runningTurnId: null,
  turnStatus: "finished",
  turnEndedAt: "2026-11-21T10:05:00Z",
};

let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
function look(there: boolean) {
  hidden = !there;
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

function Attention() {
  useAttention();
  return null;
}

function page() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const sessions = (...all: SessionView[]) =>
    act(async () => {
      client.setQueryData(sessionsQuery.queryKey, all);
      // Who looks at it hears of it a moment later.
      await new Promise((done) => setTimeout(done, 5));
    });
  client.setQueryData(sessionsQuery.queryKey, [open, runs]);
  return { ...onPage(<Attention />, client), sessions };
}

beforeEach(() => {
  hidden = false;
  useNotify.setState({ wanted: true });
  useTitle.setState({ open: { name: "Shop", running: true }, news: [] });
});

it("the title says what happened in any session while nobody looked, until somebody does", async () => {
  const { sessions, leave } = page();
  expect(document.title).toBe("● Shop · Gadget");
  look(false);
  await sessions(open, asks);
  expect(document.title).toBe("(1) Waits for you: Stock · Gadget");
  await sessions({ ...open, turnStatus: "failed", turnEndedAt: "2026-11-21T10:05:00Z" }, asks);
  expect(document.title).toBe("(2) Failed: Shop · Gadget");
  look(true);
  expect(document.title).toBe("● Shop · Gadget");
  leave();
});

it("a session counts once, and a question that was answered elsewhere is none any more", async () => {
  const { sessions, leave } = page();
  look(false);
  await sessions(open, asks);
  await sessions(open, ended);
  expect(document.title).toBe("(1) Ended: Stock · Gadget");
  await sessions(open, { ...asks, runningTurnId: "t3", turnEndedAt: ended.turnEndedAt });
  expect(document.title).toBe("(1) Waits for you: Stock · Gadget");
  await sessions(open, { ...runs, runningTurnId: "t3", turnEndedAt: ended.turnEndedAt });
  expect(document.title).toBe("● Shop · Gadget");
  leave();
});

it("the title is as it was while somebody looks, and for who did not ask to be told", async () => {
  const { sessions, leave } = page();
  await sessions(open, asks);
  expect(document.title).toBe("● Shop · Gadget");
  useNotify.setState({ wanted: false });
  look(false);
  await sessions(open, ended);
  expect(document.title).toBe("● Shop · Gadget");
  leave();
});
