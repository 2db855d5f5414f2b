import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { SessionDetail } from "../../protocol/messages.gen";
import { button, click, one, onPage } from "../../ui/on-page";
import type { LineEvents } from "./terminal-line";

const line = vi.hoisted(() => ({ events: undefined as LineEvents | undefined, end: vi.fn() }));

vi.mock("./screen", () => ({
  Screen: class {
    constructor(private readonly host: HTMLElement) {
      host.tabIndex = -1;
    }
    focus() {
      this.host.focus();
    }
    dispose() {}
  },
}));
vi.mock("./terminal-line", () => ({
  TerminalLine: class {
    end = line.end;
    constructor(_session: string, _terminal: string, events: LineEvents) {
      line.events = events;
    }
    hurry() {}
    leave() {}
  },
}));
const { TerminalPanel } = await import("./terminal-panel");

// What jsdom has not.
Object.defineProperty(document, "fonts", { value: { load: async () => [] } });
Element.prototype.checkVisibility = () => true;

const session = { id: "s1", workspaceId: "w1" } as SessionDetail;

beforeEach(() => {
  line.events = undefined;
  line.end.mockClear();
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
});

async function shown() {
  const page = onPage(
    <>
      <textarea />
      <aside>
        <button type="button">Terminal</button>
        <TerminalPanel session={session} />
      </aside>
    </>,
  );
  await act(() => vi.waitFor(() => expect(line.events).toBeDefined()));
  const opens = () => act(() => line.events?.state({ is: "open" }));
  const screen = one<HTMLElement>(page.place, '[data-testid="terminal-screen"]');
  return { ...page, opens, screen };
}

it("takes the focus of who opened it", async () => {
  const { place, opens, screen, leave } = await shown();
  one<HTMLElement>(place, "aside button").focus();
  await opens();
  expect(document.activeElement).toBe(screen);
  leave();
});

it("leaves the focus where somebody types when it opens by itself", async () => {
  const { place, opens, leave } = await shown();
  const prompt = one<HTMLElement>(place, "textarea");
  prompt.focus();
  await opens();
  expect(document.activeElement).toBe(prompt);
  leave();
});

it("ends at the second click, which says what it ends", async () => {
  const { place, opens, leave } = await shown();
  await opens();
  await click(button(place, "End the terminal"));
  expect(line.end).not.toHaveBeenCalled();
  await click(button(place, "End all that runs in it?"));
  expect(line.end).toHaveBeenCalledOnce();
  leave();
});
