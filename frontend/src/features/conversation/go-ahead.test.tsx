import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { sessionQuery } from "../../api/queries";
import type { ApprovalPolicy } from "../../protocol/messages.gen";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { aSession } from "../session-list/a-session";
import { GoAhead } from "./go-ahead";
import { policyBefore, useKeepPolicy } from "./policy-before";
import { ResendContext, type Told } from "./resend";

let turnId = "";
beforeEach(() => {
  localStorage.clear();
  turnId = crypto.randomUUID();
});

function Keeps({ policy }: { policy: ApprovalPolicy }) {
  useKeepPolicy("s1", policy);
  return null;
}

function below(approvalPolicy: ApprovalPolicy, lastTurnId = turnId, patch = () => Response.json({})) {
  const done: unknown[] = [];
  const told: (Told | undefined)[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    if (method !== "PATCH") return Response.json({ items: [] });
    done.push({ [path.replace("/api/v1", "")]: JSON.parse(String(body)) });
    return patch();
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  const set = (policy: ApprovalPolicy) =>
    client.setQueryData(sessionQuery("s1").queryKey, {
      ...aSession({ approvalPolicy: policy }),
      turns: [],
    } as never);
  set(approvalPolicy);
  const page = onPage(
    <ResendContext
      value={{
        send(prompt, then) {
          done.push(prompt);
          told.push(then);
        },
        canSend: true,
        lastTurnId,
        branch() {},
        canBranch: true,
        worktree: false,
        sessionId: "s1",
        changedSince: () => [],
      }}
    >
      <GoAhead turnId={turnId} sessionId="s1" />
    </ResendContext>,
    client,
  );
  return { ...page, done, told, set };
}

it("after a plan the agent is let go ahead, asked for as it was before the session only read", async () => {
  const before = onPage(<Keeps policy="ask" />);
  before.again(<Keeps policy="read_only" />);
  before.leave();
  const { place, done, leave } = below("read_only");
  expect(one<HTMLSelectElement>(place, "select").value).toBe("ask");
  type(one<HTMLSelectElement>(place, "select"), "auto");
  await click(button(place, "Go ahead"));
  await act(() => vi.waitFor(() => expect(done).toHaveLength(2)));
  expect(done).toEqual([{ "/sessions/s1": { approvalPolicy: "auto" } }, "Carry out the plan."]);
  leave();
});

it("stays with the refusal and can be tried again, also where the session may write by then", async () => {
  const { place, done, told, set, leave } = below("read_only");
  const row = () => place.querySelector('[data-testid="go-ahead"]');
  type(one<HTMLSelectElement>(place, "select"), "ask");
  await click(button(place, "Go ahead"));
  await act(() => vi.waitFor(() => expect(told).toHaveLength(1)));
  set("ask");
  await act(() => vi.waitFor(() => expect(row()).toBeNull()));
  await act(async () => told[0]?.onError?.(new Error("No drone is there.")));
  expect(row()?.textContent).toContain("The plan was not sent.");
  expect(one(place, "[role=alert]").textContent).toBe("No drone is there.");
  expect(one<HTMLSelectElement>(place, "select").value).toBe("ask");

  await click(button(place, "Go ahead"));
  await act(() => vi.waitFor(() => expect(told).toHaveLength(2)));
  expect(done.slice(2)).toEqual([{ "/sessions/s1": { approvalPolicy: "ask" } }, "Carry out the plan."]);
  expect(row()).toBeNull();
  leave();
});

it("says why the approvals could not be set, and sends nothing then", async () => {
  const refused = () => Response.json({ code: "internal", detail: "It went wrong." }, { status: 500 });
  const { place, done, leave } = below("read_only", turnId, refused);
  await click(button(place, "Go ahead"));
  await act(() => vi.waitFor(() => expect(one(place, "[role=alert]").textContent).toBe("It went wrong.")));
  expect(done).toHaveLength(1);
  expect(button(place, "Go ahead").disabled).toBe(false);
  leave();
});

it("is below the last turn only, and only in a session that only reads; commands are asked for when nothing is known", () => {
  expect(policyBefore("s1")).toBe("auto_edit");
  localStorage.setItem("gadget.policy.s1", "read_only");
  expect(policyBefore("s1")).toBe("auto_edit");
  for (const page of [below("auto"), below("read_only", "t2")]) {
    expect(page.place.querySelector('[data-testid="go-ahead"]')).toBeNull();
    page.leave();
  }
});
