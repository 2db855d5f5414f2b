import { QueryClient } from "@tanstack/react-query";
import { act, Profiler, type ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { sessionProjectQuery } from "../../api/project";
import { dronesQuery, modelsQuery, profilesQuery, providersQuery, sessionQuery } from "../../api/queries";
import { useLookBack } from "../../app/look-back";
import { useConnection } from "../../connection/connection";
import type { SessionDetail, TurnChangeUnion, Usage } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { applyAll } from "../../turn/reducer";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { useSessionSettings } from "../new-session/session-settings";
import { SessionPanel } from "./session-panel";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ params, children }: { params: { section: string }; children: ReactNode }) => (
    <a href={`/settings/${params.section}`}>{children}</a>
  ),
}));

const session = {
  id: "s1",
  providerId: "p1",
  model: "demo",
  reasoningEffort: "off",
  approvalPolicy: "auto",
  limits: { maxRounds: 60 },
  turns: [],
  workspaceId: "w1",
  worktree: false,
} as Partial<SessionDetail> as SessionDetail;

const { stats } = emptyTurn;
const used = (part: Partial<Usage>): TurnChangeUnion => ({
  kind: "usage",
  stats,
  usage: { inputTokens: 5000, outputTokens: 200, thinkingTokens: 50, ...part },
});

/** What the connection brings of the session's turn. */
function arrives(...changes: TurnChangeUnion[]) {
  act(() => {
    const copy = applyAll(useConnection.getState().turns.t1, changes);
    if (copy) useConnection.setState({ turns: { t1: copy } });
  });
}

let kept: SessionDetail;
let asked: unknown[];
let refusal: string | null;

beforeEach(() => {
  useConnection.setState({ turns: {}, state: "live", door: "websocket" });
  kept = session;
  asked = [];
  refusal = null;
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method: string; body: string }) => {
    if (method === "PATCH") {
      asked.push(JSON.parse(body));
      if (refusal)
        return Response.json({ code: "store_unavailable", detail: refusal, status: 503 }, { status: 503 });
      kept = { ...kept, ...JSON.parse(body) };
    }
    return Response.json(kept);
  });
});

function opened({ contextTokens = 8192 as number | null, ...part }: Record<string, unknown> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const profile = { examinedAt: "2026-11-20T10:00:00Z", contextTokens } as never;
  client.setQueryData(providersQuery.queryKey, [
    { id: "p1", name: "one" },
    { id: "p2", name: "two", defaultModel: "best" },
  ] as never);
  for (const id of ["p1", "p2"]) {
    client.setQueryData(modelsQuery(id).queryKey, []);
    client.setQueryData(profilesQuery(id).queryKey, [{ model: "demo", profile }]);
  }
  client.setQueryData(dronesQuery.queryKey, [
    {
      id: "d1",
      name: "Anvil",
      status: "offline",
      workspaceId: "w1",
      workspaceDir: "/home/ada/shop",
      version: "1.2",
      hostname: "forge",
    },
  ] as never);
  client.setQueryData(sessionQuery("s1").queryKey, { ...session, ...part });
  const draws = vi.fn();
  const panel = (shown: SessionDetail) => (
    <Profiler id="panel" onRender={draws}>
      <SessionPanel session={shown} />
    </Profiler>
  );
  const page = onPage(panel({ ...session, ...part } as SessionDetail), client);
  const says = (id: string) => one(page.place, `[data-testid="${id}"]`).textContent ?? "";
  const readAgain = () => page.again(panel(kept));
  return { ...page, draws, says, readAgain };
}

it("the context follows each round of the turn that runs, and no text that streams", () => {
  const { place, draws, says, leave } = opened();
  expect(says("context-use")).toContain("Empty: there is no prompt yet.");
  arrives({ kind: "snapshot", turn: { ...emptyTurn, status: "processing" } });
  expect(says("context-use")).toContain("Not known yet.");
  arrives(used({ contextTokens: 4096 }));
  const meter = one(place, '[role="meter"]');
  expect(meter.getAttribute("aria-valuenow")).toBe("4096");
  expect(meter.getAttribute("aria-valuetext")).toBe("About 4,096 of 8,192 tokens, 50 %");
  expect(says("context-use")).not.toContain("/compact");
  expect(says("session-usage")).toContain("5K");

  const before = draws.mock.calls.length;
  for (const offset of [0, 1, 2])
    arrives({ kind: "text_delta", index: 0, mode: "responding", offset, text: "a", createdAt: "now" });
  expect(useConnection.getState().turns.t1?.turn.blocks[0]?.content).toBe("aaa");
  expect(draws).toHaveBeenCalledTimes(before);

  arrives(used({ inputTokens: 12_000, contextTokens: 7000, cost: 0.5 }));
  expect(meter.getAttribute("aria-valuenow")).toBe("7000");
  expect(says("context-use")).toContain("/compact");
  expect(says("session-usage")).toContain("12K");
  expect(says("session-usage")).toContain("$0.5000");
  leave();
});

it("of a model that nobody tested it says what is in use, and how to find out the rest", () => {
  const { place, says, leave } = opened({ contextTokens: null });
  arrives({ kind: "snapshot", turn: emptyTurn }, used({ contextTokens: 4096 }));
  expect(place.querySelector('[role="meter"]')).toBeNull();
  expect(says("context-use")).toContain("About 4,096 tokens.");
  expect(one<HTMLAnchorElement>(place, '[data-testid="context-use"] a').pathname).toBe("/settings/providers");
  leave();
});

it("what is chosen is saved at once, what is typed when it is done", async () => {
  const { place, says, readAgain, leave } = opened();
  const effort = [...place.querySelectorAll<HTMLElement>('[data-setting="effort"] input')];
  await click(effort[2] as HTMLElement);
  expect(asked).toEqual([{ reasoningEffort: "medium" }]);
  await act(() => vi.waitFor(() => expect(says("choices-saved")).toBe("Saved.")));
  readAgain();
  expect((effort[2] as HTMLInputElement).checked).toBe(true);

  const model = one<HTMLInputElement>(place, '[data-setting="model"]');
  type(model, "");
  expect(says("choices-saved")).toBe("Not saved yet: a model is needed.");
  type(model, "demo-2");
  expect(says("choices-saved")).toBe("Not saved yet: press Enter.");
  expect(asked).toHaveLength(1);
  await act(async () => one<HTMLFormElement>(place, "form").requestSubmit());
  expect(asked[1]).toEqual({ model: "demo-2" });

  await act(async () => type(one(place, '[data-setting="provider"]'), "p2"));
  expect(asked[2]).toMatchObject({ providerId: "p2", model: "best" });
  expect(asked).toHaveLength(3);
  leave();
});

it("a refusal is shown where it was chosen, keeps what was chosen, and can be tried again or taken back", async () => {
  const { place, says, leave } = opened();
  refusal = "The store does not answer.";
  const policy = one<HTMLSelectElement>(place, '[data-setting="approvals"]');
  await act(async () => type(policy, "ask"));
  await act(() => vi.waitFor(() => one(place, '[role="alert"]')));
  expect(one(place, '[role="alert"]').textContent).toContain("Not saved. The store does not answer.");
  expect(policy.value).toBe("ask");
  refusal = null;
  await click(button(place, "Try again"));
  expect(asked).toEqual([{ approvalPolicy: "ask" }, { approvalPolicy: "ask" }]);
  await act(() => vi.waitFor(() => expect(says("choices-saved")).toBe("Saved.")));
  expect(place.querySelector('[role="alert"]')).toBeNull();

  refusal = "The store does not answer.";
  await act(async () => type(policy, "read_only"));
  await act(() => vi.waitFor(() => one(place, '[role="alert"]')));
  await click(button(place, "Take it back"));
  expect(policy.value).toBe("auto");
  expect(place.querySelector('[role="alert"]')).toBeNull();
  leave();
});

it("tells the limits and where it works, and leads to the figures and all settings", async () => {
  const { place, says, leave } = opened();
  expect(says("limit-words")).toBe("At most 60 rounds.");
  for (const words of ["Anvil", "offline", "Version 1.2 · on forge", "/home/ada/shop", "Live, by WebSocket"])
    expect(says("session-place")).toContain(words);
  await click(button(place, "All settings …"));
  expect(useSessionSettings.getState().at).toBe("limits");
  await click(button(place, "Figures of this session"));
  expect(useLookBack.getState().shown).toEqual({ what: "session-figures", sessionId: "s1" });
  leave();
});

it("what was used before a branch is not counted in it again, and fills its context", async () => {
  const copied = {
    ...emptyTurn,
    id: "t0",
    createdAt: "2026-11-20T08:00:00Z",
    usage: { inputTokens: 70_000, outputTokens: 10, thinkingTokens: 0, contextTokens: 2048 },
  };
  const { says, place, leave } = opened({ createdAt: "2026-11-20T09:00:00Z", turns: [copied] });
  expect(says("context-use")).toContain("About 2,048 of");
  expect(one(place, '[aria-label="Used so far"]').textContent).toContain(
    "without what was used before the branch",
  );
  expect(says("session-usage")).not.toContain("70K");
  arrives({ kind: "snapshot", turn: emptyTurn }, used({}));
  expect(says("session-usage")).toContain("Tokens in5K");
  leave();
});

it("a choice that was refused does not come along with later ones, and is still there to be tried again", async () => {
  const { place, leave } = opened();
  const effort = [...place.querySelectorAll<HTMLElement>('[data-setting="effort"] input')];
  const policy = one<HTMLSelectElement>(place, '[data-setting="approvals"]');
  refusal = "That policy is not allowed.";
  await act(async () => type(policy, "ask"));
  await act(() => vi.waitFor(() => one(place, '[role="alert"]')));
  refusal = null;
  await click(effort[2] as HTMLElement);
  await act(() => vi.waitFor(() => expect(button(place, "Try again").disabled).toBe(false)));
  expect(asked).toEqual([{ approvalPolicy: "ask" }, { reasoningEffort: "medium" }]);
  expect(policy.value).toBe("ask");
  expect(one(place, '[role="alert"]').textContent).toContain("Not saved. That policy is not allowed.");
  await click(button(place, "Try again"));
  expect(asked[2]).toEqual({ approvalPolicy: "ask" });
  await act(() => vi.waitFor(() => expect(place.querySelector('[role="alert"]')).toBeNull()));
  leave();
});

it("a model goes with its provider when that one was refused", async () => {
  const { place, leave } = opened();
  refusal = "The store does not answer.";
  await act(async () => type(one(place, '[data-setting="provider"]'), "p2"));
  await act(() => vi.waitFor(() => one(place, '[role="alert"]')));
  const model = one<HTMLInputElement>(place, '[data-setting="model"]');
  type(model, "other");
  await act(async () => one<HTMLFormElement>(place, "form").requestSubmit());
  expect(asked[1]).toEqual({ providerId: "p2", model: "other" });
  leave();
});

it("a model that is half typed is not saved when the window is left, and is when the field is", async () => {
  const { place, leave } = opened();
  const model = one<HTMLInputElement>(place, '[data-setting="model"]');
  model.focus();
  type(model, "dem");
  await act(async () => model.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
  expect(asked).toEqual([]);
  await act(async () => model.blur());
  expect(asked).toEqual([{ model: "dem" }]);
  leave();
});

it("syncs the project, which has no button in the header of a narrow page", async () => {
  const { place, client, leave } = opened();
  const state = { cloned: true, branch: "main", syncing: false };
  await act(async () => {
    client.setQueryData(dronesQuery.queryKey, [
      { id: "d1", status: "available", workspaceId: "w1" },
    ] as never);
    client.setQueryData(sessionProjectQuery("s1").queryKey, { gitUrl: "https://h/r.git", state } as never);
  });
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    requests.push(`${method} ${path}`);
    return Response.json({ gitUrl: "https://h/r.git", state: { ...state, note: "Two commits came." } });
  });
  await act(() => vi.waitFor(() => one(place, '[data-testid="session-sync"]')));
  await click(one(place, '[data-testid="session-sync"]'));
  await act(() => vi.waitFor(() => expect(place.textContent).toContain("Two commits came.")));
  expect(requests).toContain("POST /api/v1/sessions/s1/project/sync");
  leave();
});
