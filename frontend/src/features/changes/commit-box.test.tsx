import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { button, click, one, onPage, type } from "../../ui/on-page";
import type { WorkspaceAccess } from "../files/workspace-access";
import { CommitBox } from "./commit-box";

const access: WorkspaceAccess = { mode: "user", takeOver: async () => {}, giveBack: async () => {} };
const box = (session: string) => <CommitBox sessionId={session} paths={["a.txt"]} access={access} />;
const message = (place: ParentNode) => one<HTMLTextAreaElement>(place, "textarea");

let answer: (response: Response) => void;
beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
});
const committed = () => act(async () => answer(Response.json({ commit: "abc1234" })));

it("the message of a commit outlives a look at another session", () => {
  const page = onPage(box("s1"));
  type(message(page.place), "Mend the cart");
  page.leave();
  const other = onPage(box("s2"));
  expect(message(other.place).value).toBe("");
  other.leave();
  const again = onPage(box("s1"));
  expect(message(again.place).value).toBe("Mend the cart");
  again.leave();
});

it("what was committed goes away, what was typed meanwhile stays", async () => {
  const page = onPage(box("s3"));
  type(message(page.place), "First");
  await click(button(page.place, "Commit 1 file"));
  type(message(page.place), "Second");
  await committed();
  expect(message(page.place).value).toBe("Second");
  await click(button(page.place, "Commit 1 file"));
  await committed();
  expect(message(page.place).value).toBe("");
  await vi.waitFor(() => expect(page.place.textContent).toContain("Committed as abc1234."), 30_000);
  page.leave();
});
