import { beforeEach, expect, it, vi } from "vitest";
import type { ApprovalDecision, Tool, ToolCall } from "../../protocol/messages.gen";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { choicesOf } from "./question-row";
import { ToolBlock } from "./tool-block";

const decided: { body: string }[] = [];
beforeEach(() => {
  decided.length = 0;
  sessionStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.stubGlobal("fetch", async (_: string, request: { body: string }) => {
    decided.push(request);
    return new Response(null, { status: 204 });
  });
});

function asked(parameters: Record<string, unknown>, decided?: ApprovalDecision) {
  const content: ToolCall = {
    callId: "c1",
    name: "ask_person",
    parameters,
    state: "awaiting_approval",
    approval: { reason: "The model asks you a question.", shown: "abc", decided },
  };
  const block: Tool = { mode: "tool", index: 0, createdAt: "2026-11-20T10:00:00Z", content };
  return (
    <>
      <ToolBlock block={block} turnId="t1" ended={false} live />
      <textarea data-testid="prompt-input" />
    </>
  );
}

const sent = () => decided.map((one) => JSON.parse(one.body));

it("a choice is the answer to what was shown, and nothing speaks of approving", async () => {
  const page = onPage(asked({ question: "Which database?", choices: "PostgreSQL\n SQLite \n\nSQLite" }));
  expect(page.place.textContent).toContain("Which database?");
  expect(page.place.textContent).not.toMatch(/pprove|will run/);
  await click(button(page.place, "SQLite"));
  expect(sent()).toEqual([
    {
      decision: "approve",
      shown: "abc",
      parameters: {
        question: "Which database?",
        choices: "PostgreSQL\n SQLite \n\nSQLite",
        answer: "SQLite",
      },
    },
  ]);
  expect(document.activeElement).toBe(one(page.place, '[data-testid="prompt-input"]'));
  page.leave();
});

it("other words are kept over a reload for this tab only, and gone once they are sent", async () => {
  const page = onPage(asked({ question: "Which database?" }));
  expect(button(page.place, "Answer").disabled).toBe(true);
  type(one(page.place, "form textarea"), "the one we have");
  expect(sessionStorage.getItem("gadget.draft.approval/t1/c1/answer")).toBe("the one we have");
  page.leave();
  const again = onPage(asked({ question: "Which database?" }));
  await click(button(again.place, "Answer"));
  expect(sessionStorage.getItem("gadget.draft.approval/t1/c1/answer")).toBeNull();
  expect(sent()).toEqual([
    {
      decision: "approve",
      shown: "abc",
      parameters: { question: "Which database?", answer: "the one we have" },
    },
  ]);
  again.leave();
});

it("says that it is answered while the drone is away, and asks for nothing more", async () => {
  const question = { question: "Which database?", choices: "PostgreSQL\nSQLite" };
  const page = onPage(asked(question));
  await click(button(page.place, "SQLite"));
  const later = onPage(asked(question, "approve"));
  for (const { place } of [page, later]) {
    expect(one(place, '[role="status"]').textContent).toBe(
      "You answered this. It counts as soon as the drone has heard of it.",
    );
    expect(place.textContent).toContain("Which database?");
    expect(place.querySelector("form")).toBeNull();
  }
  page.leave();
  later.leave();
});

it("no answer is one, too", async () => {
  const page = onPage(asked({ question: "Which database?" }));
  await click(button(page.place, "No answer"));
  expect(sent()).toEqual([{ decision: "deny", shown: "abc" }]);
  page.leave();
});

it("choices are lines, each once", () => {
  expect(choicesOf({ choices: "a\r\nb\n a" })).toEqual(["a", "b"]);
  expect(choicesOf({ choices: ["a"] })).toEqual([]);
  expect(choicesOf({})).toEqual([]);
});
