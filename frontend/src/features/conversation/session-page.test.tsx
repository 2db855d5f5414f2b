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
import { one, onPage, type } from "../../ui/on-page";
import { SessionPage } from "./session-page";

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
  vi.stubGlobal("fetch", async (url: string) => {
    const path = url.replace("/api/v1", "").replace(/\?.*/, "");
    return answers[path]?.() ?? Response.json({ items: [] });
  });
});

const problem = (status: number, code: string, detail: string) => () =>
  Response.json({ code, detail, status }, { status });

const shows = (place: HTMLElement, words: string) =>
  act(() => vi.waitFor(() => expect(place.textContent).toContain(words)));

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
  await shows(page.place, "Say what you want done.");
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
