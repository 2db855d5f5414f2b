import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { makeQueryClient } from "../../api/client";
import { sessionQuery } from "../../api/queries";
import type { SessionDetail } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { useResend } from "./resend";
import { SessionPage } from "./session-page";

// Rows have no height here, so that the list itself draws none.
vi.mock("./turn-list", () => ({
  TurnList() {
    const resend = useResend();
    return (
      <button type="button" onClick={() => resend.send("Once more.")}>
        Send again
      </button>
    );
  },
}));

const session: Partial<SessionDetail> = {
  id: "s1",
  name: "Mend the cart",
  model: "scripted",
  reasoningEffort: "off",
  whenBusy: "queue",
  turns: [],
};

let answers: Record<string, () => Response>;

beforeEach(() => {
  localStorage.clear();
  answers = { "/sessions/s1": () => Response.json(session) };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("scrollTo", () => {});
  Element.prototype.scrollTo = () => {};
  vi.stubGlobal("fetch", async (url: string) => {
    const path = url.replace("/api/v1", "").replace(/\?.*/, "");
    return answers[path]?.() ?? Response.json({ items: [] });
  });
});

const problem = (status: number, code: string, detail: string) => () =>
  Response.json({ code, detail, status }, { status });

const shows = (place: HTMLElement, words: string) =>
  act(() => vi.waitFor(() => expect(place.textContent).toContain(words), 30_000));

async function open() {
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: "/sessions/$sessionId",
    component: SessionPage,
  });
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: ["/sessions/s1"] }),
  });
  await router.load();
  const page = onPage(<RouterProvider router={router as never} />, makeQueryClient());
  const readAgain = () =>
    act(() => page.client.invalidateQueries({ queryKey: sessionQuery("s1").queryKey }).catch(() => {}));
  await shows(page.place, "Mend the cartscripted");
  return { ...page, readAgain };
}

it("a session that was deleted elsewhere is gone, and what was typed for it is kept", async () => {
  const page = await open();
  type(one(page.place, "[data-testid=prompt-input]"), "half a sen");
  answers["/sessions/s1"] = problem(503, "store_unavailable", "The store does not answer.");
  await page.readAgain();
  expect(page.place.textContent).toContain("Mend the cart");

  answers["/sessions/s1"] = problem(404, "not_found", "There is no such session.");
  await page.readAgain();
  await shows(page.place, "There is no such session");
  expect(page.place.querySelector("a")?.textContent).toBe("Go to the start");
  expect(page.place.querySelector("[data-testid=prompt-input]")).toBeNull();
  expect(localStorage.getItem("gadget.draft.s1")).toBe("half a sen");
  page.leave();
});

it("that a turn could not be stopped is said until it ends", async () => {
  const running = { ...emptyTurn, status: "processing" };
  answers["/sessions/s1"] = () => Response.json({ ...session, turns: [running], runningTurnId: running.id });
  answers[`/turns/${running.id}/cancel`] = problem(500, "internal", "Something went wrong.");
  const page = await open();
  await click(one(page.place, "[data-testid=stop-turn]"));
  await shows(page.place, "Something went wrong.");
  answers["/sessions/s1"] = () => Response.json({ ...session, turns: [{ ...running, status: "finished" }] });
  await page.readAgain();
  await act(() =>
    vi.waitFor(() => expect(page.place.querySelector("[data-testid=stop-turn]")).toBeNull(), 30_000),
  );
  expect(page.place.textContent).not.toContain("Something went wrong.");
  page.leave();
});

it("that a prompt could not be sent again is said until another one is sent", async () => {
  answers["/sessions/s1/turns"] = problem(500, "internal", "Something went wrong.");
  const page = await open();
  await click(button(page.place, "Send again"));
  await shows(page.place, "Something went wrong.");
  answers["/sessions/s1/turns"] = () => Response.json({ turnId: "t2", status: "processing" });
  type(one(page.place, "[data-testid=prompt-input]"), "Another one.");
  await click(button(page.place, "Send"));
  await act(() => vi.waitFor(() => expect(localStorage.getItem("gadget.draft.s1")).toBeNull(), 30_000));
  expect(page.place.textContent).not.toContain("Something went wrong.");
  page.leave();
});
