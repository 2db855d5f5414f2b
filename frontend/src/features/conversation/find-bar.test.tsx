import { expect, it, vi } from "vitest";
import { one, onPage, press } from "../../ui/on-page";
import { FindBar } from "./find-bar";

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
