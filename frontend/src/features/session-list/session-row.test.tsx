import { act, type Ref } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { SessionView } from "../../protocol/messages.gen";
import { click, one, onPage, press, type } from "../../ui/on-page";
import { useRenaming } from "./renaming";
import { SessionRow } from "./session-row";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ ref }: { ref: Ref<HTMLAnchorElement> }) => (
    <a ref={ref} href="/here">
      Mend the cart
    </a>
  ),
}));

const session = { id: "s1", name: "Mend the cart", updatedAt: "" } as Partial<SessionView> as SessionView;
let answer: () => Response;

beforeEach(() => {
  answer = () => Response.json({});
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) =>
    method === "PATCH" ? answer() : Response.json({ items: [] }),
  );
});

function shown() {
  const page = onPage(
    <>
      <SessionRow session={session} />
      <textarea />
    </>,
  );
  const prompt = one<HTMLElement>(page.place, "textarea");
  const box = () => one<HTMLInputElement>(page.place, '[data-testid="session-name"]');
  act(() => useRenaming.getState().rename("s1"));
  return { ...page, prompt, box };
}

const nextFrame = () => act(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

it("leaves the focus where the person went, and takes it to the link after Enter", async () => {
  const { place, prompt, box, leave } = shown();
  type(box(), "Other");
  await click(prompt);
  await nextFrame();
  expect(document.activeElement).toBe(prompt);
  act(() => useRenaming.getState().rename("s1"));
  press(box(), "Enter");
  await nextFrame();
  expect(document.activeElement).toBe(one(place, "a"));
  leave();
});

it("has a refused name in its box again, and takes no focus from who types elsewhere", async () => {
  answer = () => Response.json({ code: "invalid_field", detail: "Too long." }, { status: 400 });
  const { place, prompt, box, leave } = shown();
  type(box(), "Other");
  await click(prompt);
  await act(() => vi.waitFor(() => expect(box().value).toBe("Other")));
  expect(document.activeElement).toBe(prompt);
  expect(place.textContent).toContain("Too long.");
  act(() => box().focus());
  press(box(), "Escape");
  act(() => useRenaming.getState().rename("s1"));
  expect(box().value).toBe("Mend the cart");
  leave();
});
