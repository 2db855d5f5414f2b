import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { dronesQuery, modelsQuery, profilesQuery, providersQuery } from "../../api/queries";
import { useSignIn } from "../../api/sign-in";
import type { SessionDetail } from "../../protocol/messages.gen";
import { button, click, one, onPage, type } from "../../ui/on-page";
import { SessionSettingsDialog } from "./session-settings-dialog";

vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => {} }));
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};

const session = {
  id: "s1",
  name: "Mend the cart",
  providerId: "p1",
  model: "demo",
  reasoningEffort: "off",
  approvalPolicy: "auto",
  whenBusy: "queue",
  toolQueue: "parallel",
  limits: { maxRounds: 60 },
  rules: [{ action: "deny", path: "db/**" }],
  turns: [],
  workspaceId: "w1",
  worktree: false,
} as Partial<SessionDetail> as SessionDetail;

let asked: unknown[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method: string; body: string }) => {
    if (method === "PATCH") asked.push(JSON.parse(body));
    if (method === "DELETE") asked.push(method);
    return Response.json(session);
  });
});

function opened() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(providersQuery.queryKey, [
    { id: "p1", name: "one" },
    { id: "p2", name: "two", defaultModel: "demo" },
  ] as never);
  for (const id of ["p1", "p2"]) {
    client.setQueryData(modelsQuery(id).queryKey, []);
    client.setQueryData(profilesQuery(id).queryKey, []);
  }
  client.setQueryData(dronesQuery.queryKey, []);
  const onClose = vi.fn();
  const dialog = (shown: SessionDetail) => (
    <SessionSettingsDialog session={shown} at="name" onClose={onClose} />
  );
  const page = onPage(dialog(session), client);
  const save = async () => {
    await click(button(page.place, "Save"));
    await act(() => vi.waitFor(() => expect(onClose).toHaveBeenCalled(), 30_000));
  };
  /** What was changed elsewhere is read anew. */
  const readAgain = (part: Partial<SessionDetail>) => page.again(dialog({ ...session, ...part }));
  return { ...page, save, readAgain };
}

const setting = <T extends HTMLElement>(place: HTMLElement, name: string) =>
  one<T>(place, `[data-setting="${name}"]`);

it("closes without a word to the service when nothing was changed", async () => {
  const { save, leave } = opened();
  await save();
  expect(asked).toEqual([]);
  leave();
});

it("writes what was changed here, and nothing that was changed elsewhere meanwhile", async () => {
  const { place, save, readAgain, leave } = opened();
  type(setting<HTMLTextAreaElement>(place, "rules"), "allow tool read_file");
  readAgain({ model: "newer", approvalPolicy: "ask", limits: {}, worktree: true });
  await save();
  expect(asked).toEqual([{ rules: [{ action: "allow", tool: "read_file" }] }]);
  leave();
});

it("writes all limits with one that was changed, and a model with its provider", async () => {
  const { place, save, leave } = opened();
  type(setting<HTMLSelectElement>(place, "provider"), "p2");
  type(one<HTMLInputElement>(setting(place, "limits"), "input"), "30");
  await save();
  expect(asked).toEqual([{ providerId: "p2", model: "demo", limits: { maxRounds: 30 } }]);
  leave();
});

it("is not deleted by a double click, nor by a click long after the question", async () => {
  const { place, leave } = opened();
  await click(button(place, "Delete session"));
  const sure = button(place, "Really delete, with all turns");
  await act(async () => void sure.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 })));
  act(() => setting(place, "name").focus());
  await click(button(place, "Delete session"));
  expect(asked).toEqual([]);
  leave();
});

it("has its rules and limits again after a sign-in that ended meanwhile, once", async () => {
  const typed = opened();
  type(setting<HTMLTextAreaElement>(typed.place, "rules"), "allow tool read_file");
  type(one<HTMLInputElement>(setting(typed.place, "limits"), "input"), "30");
  act(() => useSignIn.getState().left(true));
  typed.leave();
  useSignIn.getState().entered();
  const again = opened();
  await again.save();
  expect(asked).toEqual([{ rules: [{ action: "allow", tool: "read_file" }], limits: { maxRounds: 30 } }]);
  again.leave();
  const later = opened();
  await later.save();
  expect(asked).toHaveLength(1);
  later.leave();
});

it("lets a session that is nowhere yet be given to one of several drones (S1-18)", async () => {
  const { place, client, again, leave } = opened();
  const drones = ["1", "2"].map((id) => ({
    id,
    name: `drone ${id}`,
    workspaceId: `w${id}`,
    status: "available",
  }));
  client.setQueryData(dronesQuery.queryKey, drones as never);
  const { workspaceId: _, ...nowhere } = session;
  const onClose = vi.fn();
  again(<SessionSettingsDialog key="other" session={nowhere as SessionDetail} at="name" onClose={onClose} />);
  const where = setting<HTMLSelectElement>(place, "workspace");
  expect(where.value).toBe("");
  type(where, "w2");
  await click(button(place, "Save"));
  await act(() => vi.waitFor(() => expect(asked).toEqual([{ workspaceId: "w2" }])));
  leave();
});
