import { act } from "react";
import { expect, it, vi } from "vitest";
import type { Tool } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { copyOf } from "../../turn/reducer";
import { one, onPage, press, type } from "../../ui/on-page";
import { FindBar } from "./find-bar";
import { segmentsOf } from "./segments";
import { ToolBlock } from "./tool-block";

it("the focus is back where it was when the search is left", () => {
  vi.stubGlobal("CSS", {});
  const page = onPage(
    <>
      <textarea data-testid="prompt-input" />
      <FindBar rows={[]} earlier={false} readEarlier={async () => false} show={() => {}} />
    </>,
  );
  const prompt = one(page.place, '[data-testid="prompt-input"]');
  prompt.focus();
  press(prompt, "f", { ctrlKey: true });
  const box = one(page.place, '[data-testid="find"]');
  expect(document.activeElement).toBe(box);
  press(box, "Escape");
  expect(document.activeElement).toBe(prompt);
  page.leave();
});

it("a call whose line is cut off before the words is opened, where they can be read", async () => {
  vi.stubGlobal("CSS", { escape: (text: string) => text });
  // Nothing has a place in jsdom: a line shows nothing of what it may cut off, and what is open shows all.
  Range.prototype.getBoundingClientRect = function () {
    const cutOff = this.startContainer.parentElement?.closest("button");
    return { width: cutOff ? 0 : 9, right: 0, bottom: 0 } as DOMRect;
  };
  const at = "2026-11-20T10:00:00Z";
  const call: Tool = {
    mode: "tool",
    index: 0,
    createdAt: at,
    content: { callId: "c", name: "run_command", parameters: { command: "make" }, state: "done" },
  };
  Object.assign(call.content, { startedAt: at, finishedAt: at, response: "Exit code 0.\n42 passed" });
  const rows = segmentsOf(copyOf({ ...emptyTurn, blocks: [call] }));
  const page = onPage(
    <>
      <div data-row={rows[0]?.key}>
        <ToolBlock block={call} turnId="t1" ended live={false} />
      </div>
      <FindBar rows={rows} earlier={false} readEarlier={async () => false} show={() => {}} />
    </>,
  );
  press(page.place, "f", { ctrlKey: true });
  type(one(page.place, '[data-testid="find"]'), "42 passed");
  const opens = () => one(page.place, '[data-testid="block-tool"] button').getAttribute("aria-expanded");
  expect(opens()).toBe("false");
  press(one(page.place, '[data-testid="find"]'), "Enter");
  await act(() => vi.waitFor(() => expect(opens()).toBe("true"), 30_000));
  expect(one(page.place, '[data-testid="block-tool"]').textContent).toContain("42 passed");

  type(one(page.place, '[data-testid="find"]'), "make");
  press(one(page.place, '[data-testid="find"]'), "Enter");
  expect(opens(), "it stays open").toBe("true");
  page.leave();
});

it("S0-52: what stands closed within a call that is open is not opened for words that its line cuts off", async () => {
  vi.stubGlobal("CSS", { escape: (text: string) => text });
  // Nothing has a place in jsdom: no words can be read.
  Range.prototype.getBoundingClientRect = () => ({ width: 0, right: 0, bottom: 0 }) as DOMRect;
  const call: Tool = {
    mode: "tool",
    index: 0,
    createdAt: "2026-11-20T10:00:00Z",
    content: { callId: "d", name: "delegate", parameters: { task: "Look." }, state: "running" },
  };
  const rows = segmentsOf(copyOf({ ...emptyTurn, blocks: [call] }));
  const opened = vi.fn();
  const marked = vi.fn();
  Element.prototype.scrollIntoView = marked;
  const page = onPage(
    <>
      <div data-row={rows[0]?.key}>
        <section data-block-index={0} data-tool-name="delegate">
          <button type="button" aria-expanded="true">
            delegate Look.
          </button>
          <section>
            <button type="button" aria-expanded="false" onClick={opened}>
              grep
            </button>
          </section>
        </section>
      </div>
      <FindBar rows={rows} earlier={false} readEarlier={async () => false} show={() => {}} />
    </>,
  );
  press(page.place, "f", { ctrlKey: true });
  type(one(page.place, '[data-testid="find"]'), "look");
  press(one(page.place, '[data-testid="find"]'), "Enter");
  await act(() => vi.waitFor(() => expect(marked).toHaveBeenCalled(), 30_000));
  expect(opened).not.toHaveBeenCalled();
  page.leave();
});
