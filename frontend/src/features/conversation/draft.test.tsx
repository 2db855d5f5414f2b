import { beforeEach, expect, it, vi } from "vitest";
import type { Turn } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { button, click, one, onPage, press, type } from "../../ui/on-page";
import { handOver, useDraft, wordsOf } from "./draft";
import { SentPrompt } from "./user-message";
import { WaitingPrompts } from "./waiting-prompts";

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});

function Prompt({ session }: { session: string }) {
  const [draft, setDraft] = useDraft(session);
  return (
    <textarea data-testid="prompt-input" value={draft} onChange={(event) => setDraft(event.target.value)} />
  );
}

function Session({ turns }: { turns: readonly Turn[] }) {
  return (
    <>
      <WaitingPrompts sessionId="s1" runningTurnId="t0" turns={turns} />
      <Prompt session="s1" />
    </>
  );
}

const waiting = (id: string): Turn => ({ ...emptyTurn, id, prompt: `prompt of ${id}` });
const changing = (place: ParentNode) => place.querySelector<HTMLTextAreaElement>("li textarea");

it("what was typed into a prompt that waits goes on in the prompt box when its turn begins", async () => {
  const page = onPage(<Session turns={[waiting("t1"), waiting("t2")]} />);
  const prompt = one<HTMLTextAreaElement>(page.place, '[data-testid="prompt-input"]');
  type(prompt, "said before");
  await click(button(page.place, "Change this prompt"));
  type(one(page.place, "li textarea"), "other words");
  page.again(<Session turns={[waiting("t2")]} />);
  expect(prompt.value).toBe("said before\n\nother words");
  expect(document.activeElement).toBe(prompt);

  // One that was only looked at leaves nothing behind.
  await click(button(page.place, "Change this prompt"));
  page.again(<Session turns={[]} />);
  expect(prompt.value).toBe("said before\n\nother words");
  page.leave();
});

it("the change of a prompt that waits outlives a look at another session", async () => {
  const page = onPage(<Session turns={[waiting("t3")]} />);
  await click(button(page.place, "Change this prompt"));
  type(one(page.place, "li textarea"), "half a sen");
  page.leave();
  const again = onPage(<Session turns={[waiting("t3")]} />);
  expect(changing(again.place)?.value).toBe("half a sen");

  press(one(again.place, "li textarea"), "Escape", { keyCode: 229 });
  expect(changing(again.place)?.value).toBe("half a sen");
  press(one(again.place, "li textarea"), "Escape");
  expect(changing(again.place)).toBeNull();
  expect(document.activeElement).toBe(button(again.place, "Change this prompt"));
  expect(localStorage.length).toBe(0);
  again.leave();
});

it("the words of a waiting prompt that is removed are in the box, unless others are there: then it asks", async () => {
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method }: RequestInit) => {
    requests.push(`${method} ${path}`);
    return new Response();
  });
  const page = onPage(<Session turns={[waiting("t7"), waiting("t8")]} />);
  const prompt = one<HTMLTextAreaElement>(page.place, '[data-testid="prompt-input"]');
  type(prompt, "");
  await click(button(page.place, "Remove this prompt"));
  await vi.waitFor(() => expect(prompt.value).toBe("prompt of t7"));
  page.again(<Session turns={[waiting("t8")]} />);
  await click(button(page.place, "Remove this prompt"));
  await click(button(page.place, "Remove for good?"));
  await vi.waitFor(() => expect(requests).toEqual(["DELETE /api/v1/turns/t7", "DELETE /api/v1/turns/t8"]));
  expect(prompt.value).toBe("prompt of t7");
  type(prompt, "");
  page.leave();
});

it("other words for a prompt that was sent outlive a look at another session, and take no focus when they are back", async () => {
  const sent = () => <SentPrompt turnId="t4" text="as it was" />;
  const page = onPage(sent());
  await click(button(page.place, "Edit"));
  expect(document.activeElement).toBe(one(page.place, "textarea"));
  type(one(page.place, "textarea"), "as it sho");
  page.leave();
  const again = onPage(sent());
  const box = one<HTMLTextAreaElement>(again.place, "textarea");
  expect(box.value).toBe("as it sho");
  expect(document.activeElement).not.toBe(box);
  await click(button(again.place, "Cancel"));
  expect(document.activeElement).toBe(button(again.place, "Edit"));
  expect(localStorage.length).toBe(0);
  again.leave();
});

it("what the browser may not keep is kept by the page", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("full");
  });
  const page = onPage(<Prompt session="s5" />);
  type(one(page.place, "textarea"), "no room");
  page.leave();
  const again = onPage(<Prompt session="s5" />);
  expect(one<HTMLTextAreaElement>(again.place, "textarea").value).toBe("no room");
  again.leave();
  vi.restoreAllMocks();
});

it("nothing is handed over where nothing was typed", () => {
  expect(handOver(wordsOf("t6"), "s6")).toBe(false);
});
