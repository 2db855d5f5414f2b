import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { makeQueryClient } from "../../api/client";
import { sessionQuery } from "../../api/queries";
import type { SessionDetail } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { BranchFailures } from "./branch-failures";
import { wordsOf, writeDraft } from "./draft";
import { useResend } from "./resend";
import { SessionPage } from "./session-page";

const told: string[] = [];

// Rows have no height here, so that the list itself draws none.
vi.mock("./turn-list", () => ({
  TurnList() {
    const resend = useResend();
    return (
      <>
        <button type="button" onClick={() => resend.send("Once more.")}>
          Send again
        </button>
        <button
          type="button"
          onClick={() => resend.send("Once more.", { onError: (why) => told.push(why.message) })}
        >
          Send and tell
        </button>
        <button
          type="button"
          disabled={!resend.canBranch}
          onClick={() => resend.branch("t1", "Other words.")}
        >
          Branch
        </button>
        <p data-testid="changed">{resend.changedSince("t1").join()}</p>
      </>
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

let answers: Record<string, () => Response | Promise<Response>>;

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
  vi.stubGlobal(
    "fetch",
    vi.fn(async (url: string) => {
      const path = url.replace("/api/v1", "").replace(/\?.*/, "");
      return answers[path]?.() ?? Response.json({ items: [] });
    }),
  );
});

const problem = (status: number, code: string, detail: string) => () =>
  Response.json({ code, detail, status }, { status });

const shows = (place: HTMLElement, words: string) =>
  act(() => vi.waitFor(() => expect(place.textContent).toContain(words), 30_000));

async function open() {
  const root = createRootRoute({
    component: () => (
      <>
        <BranchFailures />
        <Outlet />
      </>
    ),
  });
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
  return { ...page, router, readAgain };
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

it("why a prompt was not sent is said once, by who asked to be told", async () => {
  answers["/sessions/s1/turns"] = problem(409, "drone_busy", "The drone is busy.");
  const page = await open();
  await click(button(page.place, "Send and tell"));
  await act(() => vi.waitFor(() => expect(told).toEqual(["The drone is busy."]), 30_000));
  await page.readAgain();
  expect(page.place.textContent).not.toContain("The drone is busy.");
  page.leave();
});

const box = (place: HTMLElement) => place.querySelector<HTMLTextAreaElement>("[data-testid=prompt-input]");

/** A page whose turn t1 has other words, which are sent in the branch s2. */
async function branching(page: Awaited<ReturnType<typeof open>>) {
  writeDraft(wordsOf("t1"), "Other words.");
  answers["/sessions/s1/branches"] = () => Response.json({ id: "s2" }, { status: 201 });
  answers["/sessions/s2"] = () => Response.json({ ...session, id: "s2", name: "Mend the cart (branch)" });
  await click(button(page.place, "Branch"));
  await shows(page.place, "Mend the cart (branch)");
}

it("other words for an earlier prompt are sent in a branch, and the page goes there", async () => {
  const sent: unknown[] = [];
  answers["/sessions/s2/turns"] = () => {
    sent.push(localStorage.getItem("gadget.draft.s2"));
    return Response.json({ turnId: "t2", status: "processing" });
  };
  const page = await open();
  await branching(page);
  await act(() => vi.waitFor(() => expect(localStorage.length).toBe(0)));
  expect(sent).toEqual(["Other words."]);
  expect(box(page.place)?.value).toBe("");
  page.leave();
});

it("words that could not be sent in their branch stand in its box", async () => {
  answers["/sessions/s2/turns"] = problem(503, "no_drone", "No drone of yours is connected.");
  const page = await open();
  await branching(page);
  await shows(page.place, "No drone of yours is connected.");
  expect(box(page.place)?.value).toBe("Other words.");
  expect(localStorage.getItem("gadget.draft.s2")).toBe("Other words.");
  expect(localStorage.getItem("gadget.draft.t1/words")).toBeNull();
  page.leave();
});

it("when no branch could be made the words stay, it is said where their form is away, and again it is the same attempt", async () => {
  const page = await open();
  writeDraft(wordsOf("t1"), "Other words.");
  answers["/sessions/s1/branches"] = problem(503, "store_unavailable", "The store does not answer.");
  await click(button(page.place, "Branch"));
  await shows(page.place, "The branch was not made. The store does not answer.");
  expect(page.place.textContent).not.toContain("(branch)");
  expect(localStorage.getItem("gadget.draft.t1/words")).toBe("Other words.");

  await branching(page);

  expect(page.place.textContent).not.toContain("was not made");
  const keys = vi
    .mocked(fetch)
    .mock.calls.filter(([url]) => String(url).endsWith("/branches"))
    .map(([, init]) => new Headers(init?.headers).get("idempotency-key"));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{24}$/);
  expect(keys[1]).toBe(keys[0]);
  page.leave();
});

it("a branch whose making goes on after nobody heard its end is asked for again by the same key until it is there", async () => {
  const page = await open();
  writeDraft(wordsOf("t1"), "Other words.");
  const made = [
    () => Promise.reject(new TypeError("Failed to fetch")),
    problem(409, "conflict", "Another branch is being made for you."),
    () => Response.json({ id: "s2" }, { status: 201 }),
  ];
  answers["/sessions/s1/branches"] = () => (made.shift() as () => Response | Promise<Response>)();
  answers["/sessions/s2"] = () => Response.json({ ...session, id: "s2", name: "Mend the cart (branch)" });
  await click(button(page.place, "Branch"));

  await shows(page.place, "Mend the cart (branch)");

  const keys = vi
    .mocked(fetch)
    .mock.calls.filter(([url]) => String(url).endsWith("/branches"))
    .map(([, init]) => new Headers(init?.headers).get("idempotency-key"));
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  page.leave();
});

it("a branch that is refused while another one is made is not asked for again by itself", async () => {
  const page = await open();
  writeDraft(wordsOf("t1"), "Other words.");
  const refused = vi.fn(problem(409, "conflict", "Another branch is being made for you."));
  answers["/sessions/s1/branches"] = refused;
  await click(button(page.place, "Branch"));

  await shows(page.place, "The branch was not made. Another branch is being made for you.");

  expect(refused).toHaveBeenCalledTimes(1);
  page.leave();
});

it("who went elsewhere while the branch was made stays there, and the words wait in its box", async () => {
  let answer = (_: Response) => {};
  answers["/sessions/s1/branches"] = () => new Promise((resolve) => (answer = resolve));
  answers["/sessions/s3"] = () => Response.json({ ...session, id: "s3", name: "Paint the door" });
  const sent = vi.fn(() => Response.json({ turnId: "t2", status: "processing" }));
  answers["/sessions/s2/turns"] = sent;
  const page = await open();
  writeDraft(wordsOf("t1"), "Other words.");
  await click(button(page.place, "Branch"));
  await act(() => vi.waitFor(() => expect(button(page.place, "Branch").disabled).toBe(true), 30_000));
  const goTo = (sessionId: string) =>
    act(() => page.router.navigate({ to: "/sessions/$sessionId", params: { sessionId } } as never));
  await goTo("s3");
  await shows(page.place, "Paint the door");
  expect(button(page.place, "Branch").disabled).toBe(false);
  await goTo("s1");
  await shows(page.place, "Mend the cart");
  expect(button(page.place, "Branch").disabled).toBe(true);
  await goTo("s3");

  await act(async () => answer(Response.json({ id: "s2" }, { status: 201 })));
  await act(() =>
    vi.waitFor(() => expect(localStorage.getItem("gadget.draft.s2")).toBe("Other words."), 30_000),
  );
  expect(localStorage.getItem("gadget.draft.t1/words")).toBeNull();
  expect(page.router.state.location.pathname).toBe("/sessions/s3");

  answers["/sessions/s2"] = () => Response.json({ ...session, id: "s2", name: "Mend the cart (branch)" });
  await goTo("s2");
  await shows(page.place, "Mend the cart (branch)");
  expect(box(page.place)?.value).toBe("Other words.");
  expect(sent).not.toHaveBeenCalled();
  page.leave();
});

/** Puts something on the clipboard into the box. */
function paste(box: HTMLElement, text: string, types: readonly string[]) {
  const files = types.map((type) => new File(["x"], "x", { type }));
  const clipboardData = { getData: () => text, files };
  act(() => {
    box.dispatchEvent(
      Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }),
    );
  });
}

it("that an image cannot be sent is said when one is pasted, until something is typed", async () => {
  const page = await open();
  const box = one<HTMLTextAreaElement>(page.place, "[data-testid=prompt-input]");
  paste(box, "", ["image/png"]);
  await shows(page.place, "Images cannot be sent");
  type(box, "It looks odd.");
  expect(page.place.textContent).not.toContain("cannot be sent");
  // What is copied from a table or a page comes as an image, too.
  paste(box, "a table", ["image/png"]);
  expect(page.place.textContent).not.toContain("cannot be sent");
  page.leave();
});

it("which turns changed files is drawn again as soon as that changes", async () => {
  const turn = (id: string, files: boolean) => ({
    ...emptyTurn,
    id,
    sessionId: "s1",
    status: "finished" as const,
    ...(files ? { files: { undone: false } } : {}),
  });
  const turns = (second: boolean) => () =>
    Response.json({ ...session, turns: [turn("t1", true), turn("t2", second)] });
  answers["/sessions/s1"] = turns(false);
  const page = await open();
  expect(one(page.place, "[data-testid=changed]").textContent).toBe("t1");
  answers["/sessions/s1"] = turns(true);
  await page.readAgain();
  await act(() =>
    vi.waitFor(() => expect(one(page.place, "[data-testid=changed]").textContent).toBe("t2,t1"), 30_000),
  );
  page.leave();
});
