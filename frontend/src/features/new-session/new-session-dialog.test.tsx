import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import {
  dronesQuery,
  modelsQuery,
  profilesQuery,
  projectsQuery,
  providersQuery,
  sessionsQuery,
} from "../../api/queries";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { aSession } from "../session-list/a-session";
import { NewSessionDialog } from "./new-session-dialog";

vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => {}, Link: () => null }));
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};

let posted: { path: string; body: Record<string, unknown> }[];
let answers: (path: string) => Response;

beforeEach(() => {
  posted = [];
  answers = () => Response.json({ items: [] });
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    if (method === "POST") posted.push({ path, body: JSON.parse(String(body)) });
    return answers(path);
  });
});

function client() {
  const made = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  made.setQueryData(providersQuery.queryKey, [{ id: "p1", name: "one", defaultModel: "demo" }] as never);
  made.setQueryData(modelsQuery("p1").queryKey, []);
  made.setQueryData(profilesQuery("p1").queryKey, []);
  made.setQueryData(projectsQuery.queryKey, []);
  made.setQueryData(dronesQuery.queryKey, []);
  return made;
}

function opened() {
  const known = client();
  known.setQueryData(sessionsQuery.queryKey, []);
  const onClose = vi.fn();
  return { ...onPage(<NewSessionDialog projectId={undefined} onClose={onClose} />, known), onClose };
}

const refused = () => Response.json({ code: "store_unavailable", detail: "Not now." }, { status: 503 });

it("makes one project, however often it is tried", async () => {
  answers = (path) => (path.endsWith("/projects") ? Response.json({ id: "made" }) : refused());
  const { place, onClose, leave } = opened();
  type(one<HTMLInputElement>(place, 'form input[maxlength="100"]'), "Cart");
  await click(button(place, "Begin"));
  await act(() => vi.waitFor(() => expect(place.textContent).toContain("Not now.")));
  answers = () => Response.json({ id: "s1", items: [] });
  await click(button(place, "Begin"));
  await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalled()));
  expect(posted.map(({ path }) => path.replace("/api/v1", ""))).toEqual([
    "/projects",
    "/sessions",
    "/sessions",
  ]);
  expect(posted[2]?.body).toMatchObject({ projectId: "made" });
  leave();
});

it("says why there is nothing to choose, and tries again", async () => {
  answers = refused;
  const { place, leave } = onPage(<NewSessionDialog projectId={undefined} onClose={() => {}} />, client());
  await act(() => vi.waitFor(() => expect(place.textContent).toContain("Not now.")));
  answers = () => Response.json({ items: [] });
  await click(button(place, "Try again"));
  await act(() => vi.waitFor(() => button(place, "Begin")));
  leave();
});

it("offers the drones where there is more than one, and any that is free at first (S1-18, S1-76, S1-77)", async () => {
  answers = () => Response.json({ id: "s1", items: [] });
  const { place, client: known, onClose, leave } = opened();
  expect(place.querySelector('[data-setting="workspace"]')).toBeNull();
  const drones = ["1", "2"].map((id) => ({
    id,
    name: `drone ${id}`,
    workspaceId: `w${id}`,
    status: "available",
  }));
  await act(async () => void known.setQueryData(dronesQuery.queryKey, drones as never));
  await act(() => vi.waitFor(() => one(place, '[data-setting="workspace"]')));
  const where = one<HTMLSelectElement>(place, '[data-setting="workspace"]');
  expect(where.value).toBe("");
  type(where, "w2");
  type(one<HTMLInputElement>(place, 'form input[maxlength="100"]'), "Cart");
  await click(button(place, "Begin"));
  await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalled()));
  expect(posted.at(-1)?.body).toMatchObject({ workspaceId: "w2" });
  leave();
});

it("gives the session the workspace of the only drone at once, so that its files can be named in the first prompt", async () => {
  answers = () => Response.json({ id: "s1", items: [] });
  const { place, client: known, onClose, leave } = opened();
  await act(
    async () =>
      void known.setQueryData(dronesQuery.queryKey, [
        { id: "1", workspaceId: "w1", status: "available" },
        { id: "2" },
      ] as never),
  );
  expect(place.querySelector('[data-setting="workspace"]')).toBeNull();
  type(one<HTMLInputElement>(place, 'form input[maxlength="100"]'), "Cart");
  await click(button(place, "Begin"));
  await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalled()));
  expect(posted.at(-1)?.body).toMatchObject({ workspaceId: "w1" });
  leave();
});

it("takes along the rules and the limits of the project's latest session, unless somebody does not want that", async () => {
  answers = () => Response.json({ id: "s1", items: [] });
  const rules = [{ action: "allow", command: "mvn test *" }];
  const limits = { maxRounds: 10 };
  const dialog = (project: string, onClose = () => {}) => {
    const known = client();
    known.setQueryData(projectsQuery.queryKey, [
      { id: "shop", name: "Shop" },
      { id: "cart", name: "Cart" },
    ] as never);
    known.setQueryData(sessionsQuery.queryKey, [
      {
        ...aSession(),
        id: "s0",
        projectId: "shop",
        name: "first",
        providerId: "p1",
        rules,
        limits,
        createdAt: "2026-01-01T00:00:00Z",
      },
    ] as never);
    return onPage(<NewSessionDialog projectId={project} onClose={onClose} />, known);
  };
  for (const untick of [false, true]) {
    const onClose = vi.fn();
    const { place, leave } = dialog("shop", onClose);
    expect(place.textContent).toContain("Take along 1 rule and the limits of “first”");
    if (untick) await click(one(place, '[data-testid="take-along"]'));
    await click(button(place, "Begin"));
    await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalled()));
    if (untick) expect(posted.at(-1)?.body).not.toHaveProperty("rules");
    else expect(posted.at(-1)?.body).toMatchObject({ rules, limits });
    leave();
  }
  const { place, leave } = dialog("cart");
  expect(place.textContent).not.toContain("Take along");
  leave();
});
