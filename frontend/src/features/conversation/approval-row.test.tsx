import { beforeEach, expect, it, vi } from "vitest";
import type { ToolCall } from "../../protocol/messages.gen";
import { button, click, one, onPage, press, type } from "../../ui/on-page";
import { focusPrompt } from "../../ui/return-focus";
import { ApprovalRow } from "./approval-row";

const call: ToolCall = {
  callId: "c1",
  name: "run_command",
  parameters: { command: "make test" },
  state: "awaiting_approval",
};

const decided: { body: string }[] = [];
beforeEach(() => {
  decided.length = 0;
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.stubGlobal("fetch", async (_: string, request: { body: string }) => {
    decided.push(request);
    return new Response(null, { status: 204 });
  });
});

const row = (
  <>
    <ApprovalRow turnId="t1" tool={call} />
    <textarea data-testid="prompt-input" />
  </>
);

it("a changed command is still there when its row comes back, and nothing of it is kept once it is sent", async () => {
  const page = onPage(row);
  await click(button(page.place, "Change it …"));
  type(one(page.place, "form textarea"), "make test -k cart");
  expect(sessionStorage.getItem("gadget.draft.approval/t1/c1/command")).toBe("make test -k cart");
  expect(localStorage.length).toBe(0);
  page.leave();
  const again = onPage(row);
  expect(one<HTMLTextAreaElement>(again.place, "form textarea").value).toBe("make test -k cart");
  await click(button(again.place, "Approve as changed"));
  expect(JSON.parse(decided[0]?.body ?? "")).toEqual({
    decision: "approve",
    parameters: { command: "make test -k cart" },
  });
  expect(document.activeElement).toBe(one(again.place, '[data-testid="prompt-input"]'));
  expect(sessionStorage.getItem("gadget.draft.approval/t1/c1/command")).toBeNull();
  again.leave();
});

it("A18: what was proposed is shown word for word, and allowed as it was shown", async () => {
  const asked: ToolCall = {
    ...call,
    approval: { reason: "It runs.", shown: "abc", patterns: ["cd web", "npm run lint *"] },
  };
  const page = onPage(<ApprovalRow turnId="t1" tool={asked} />);
  await click(button(page.place, "Always in this session: cd web, npm run lint *"));
  expect(JSON.parse(decided[0]?.body ?? "")).toEqual({
    decision: "approve_for_session",
    patterns: ["cd web", "npm run lint *"],
    shown: "abc",
  });
  page.leave();
});

it("A8: a pattern shows what would not be seen in it, and the button says from when on taking it out counts", () => {
  const asked: ToolCall = { ...call, approval: { reason: "It runs.", patterns: ["git diff \u202e*"] } };
  const page = onPage(<ApprovalRow turnId="t1" tool={asked} />);
  expect(one(page.place, "code [data-testid=unseen]").textContent).toBe("U+202E");
  expect(one(page.place, "button[title*='next turn']").textContent).toContain("git diff");
  page.leave();
});

it("who goes back leaves without a change, to the button that was pressed", async () => {
  const page = onPage(row);
  await click(button(page.place, "Deny …"));
  type(one(page.place, "form textarea"), "too much");
  press(one(page.place, "form textarea"), "Escape");
  expect(document.activeElement).toBe(button(page.place, "Deny …"));
  await click(button(page.place, "Deny …"));
  expect(one<HTMLTextAreaElement>(page.place, "form textarea").value).toBe("");
  page.leave();
});

it("the focus is in the prompt when something was approved, unless the person is elsewhere", async () => {
  const page = onPage(row);
  await click(button(page.place, "Approve"));
  expect(document.activeElement).toBe(one(page.place, '[data-testid="prompt-input"]'));
  const elsewhere = page.place.appendChild(document.createElement("input"));
  elsewhere.focus();
  focusPrompt(one(page.place, '[role="status"]'));
  expect(document.activeElement).toBe(elsewhere);
  page.leave();
});

it("says what was answered while the drone is away, and asks again when that was not taken", async () => {
  const asked: ToolCall = { ...call, approval: { reason: "It runs.", shown: "abc" } };
  const page = onPage(<ApprovalRow turnId="t1" tool={asked} />);
  await click(button(page.place, "Approve"));
  expect(one(page.place, '[role="status"]').textContent).toContain("You approved this. ");
  page.leave();
  const again: ToolCall = { ...asked, approval: { reason: "It runs.", shown: "abc", decided: "deny" } };
  const later = onPage(<ApprovalRow turnId="t1" tool={again} />);
  expect(one(later.place, '[role="status"]').textContent).toContain("You denied this. ");
  expect(later.place.querySelector("button")).toBeNull();
  later.leave();
});
