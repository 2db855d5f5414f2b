import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { button, click, one, onPage, press, type } from "../../ui/on-page";
import { useBranchFailures } from "./branch";
import { type Resend, ResendContext, type Told } from "./resend";
import { SentPrompt } from "./user-message";

beforeEach(() => localStorage.clear());

interface Sent {
  branchOf?: string;
  prompt: string;
  told: Told | undefined;
}

async function editing(turnId: string, part: Partial<Resend> = {}) {
  const sent: Sent[] = [];
  const resend: Resend = {
    canSend: true,
    canBranch: true,
    worktree: false,
    sessionId: "s1",
    changedSince: () => [],
    send: (prompt, told) => sent.push({ prompt, told }),
    branch: (branchOf, prompt, told) => sent.push({ branchOf, prompt, told }),
    ...part,
  };
  const page = onPage(
    <ResendContext value={resend}>
      <SentPrompt turnId={turnId} text="Greet me." />
    </ResendContext>,
  );
  // Words that were kept open the form by themselves.
  if (!page.place.querySelector("textarea")) await click(button(page.place, "Edit"));
  const box = () => page.place.querySelector("textarea");
  return { ...page, sent, box };
}

it("an edited prompt stays in its box until it was sent as a new turn", async () => {
  const { place, sent, box } = await editing("t1");

  await click(button(place, "Send as a new turn"));
  expect(sent).toMatchObject([{ prompt: "Greet me." }]);
  expect(sent[0]?.branchOf).toBeUndefined();
  expect(box()?.readOnly).toBe(true);
  act(() => sent[0]?.told?.onSettled?.());
  expect(box()?.value).toBe("Greet me.");
  expect(box()?.readOnly).toBe(false);

  await click(button(place, "Send as a new turn"));
  act(() => {
    sent[1]?.told?.onSuccess?.();
    sent[1]?.told?.onSettled?.();
  });
  expect(box()).toBeNull();
});

it("Enter sends it in a branch, once, and what fails is said beside the words, which stay", async () => {
  const { place, sent, box } = await editing("t2");
  type(one(place, "textarea"), "Greet him.");

  press(one(place, "textarea"), "Enter");
  press(one(place, "textarea"), "Enter");
  press(one(place, "textarea"), "Escape");
  expect(sent).toMatchObject([{ branchOf: "t2", prompt: "Greet him." }]);
  expect(button(place, "Send in a branch").disabled).toBe(true);
  act(() => {
    useBranchFailures.setState({ t2: { sessionId: "s1", why: "The store does not answer.", told: true } });
    sent[0]?.told?.onSettled?.();
  });
  expect(one(place, "[role=alert]").textContent).toBe("The store does not answer.");
  expect(box()?.value).toBe("Greet him.");

  await click(button(place, "Send in a branch"));
  expect(sent).toHaveLength(2);
  act(() => sent[1]?.told?.onSettled?.());
  await click(button(place, "Cancel"));
  await click(button(place, "Edit"));
  expect(place.querySelector("[role=alert]")).toBeNull();
});

it("goes to a branch also while no new turn can be sent, and says what becomes of the files", async () => {
  const { place } = await editing("t3", { canSend: false, worktree: true });
  expect(button(place, "Send as a new turn").disabled).toBe(true);
  expect(button(place, "Send in a branch").disabled).toBe(false);
  expect(place.textContent).toContain("Its worktree begins with what is committed");
  type(one(place, "textarea"), "  ");
  expect(button(place, "Send in a branch").disabled).toBe(true);
});

it("is not sent again while a branch is on its way, also where the form was scrolled away and is back", async () => {
  const { place, sent } = await editing("t4", { canBranch: false });
  press(one(place, "textarea"), "Enter");
  expect(sent).toEqual([]);
  expect(button(place, "Send in a branch").disabled).toBe(true);
  expect(button(place, "Send as a new turn").disabled).toBe(true);
});

it("is not sent while it is too long, and says so", async () => {
  const { place, sent } = await editing("t5");
  type(one(place, "textarea"), "x".repeat(200_001));
  expect(place.textContent).toContain("A prompt has at most 200,000 characters; this one has 200,001.");
  press(one(place, "textarea"), "Enter");
  expect(sent).toEqual([]);
  expect(button(place, "Send as a new turn").disabled).toBe(true);
  type(one(place, "textarea"), "x".repeat(200_000));
  expect(place.textContent).not.toContain("at most");
  expect(button(place, "Send in a branch").disabled).toBe(false);
});

const problem = (code: string, detail: string) => Response.json({ code, detail }, { status: 409 });

/** Answers undos, and keeps which were asked for; a turn is read again after each. */
function undos(refused: () => Response | null) {
  const asked: { path: string; force: boolean }[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit) => {
    if (method !== "POST") return Response.json({ id: "t" });
    asked.push({ path: path.replace("/api/v1", ""), ...JSON.parse(String(body)) });
    return refused() ?? new Response(null, { status: 204 });
  });
  return asked;
}

it("puts the files back before it goes to a branch, the newest turn first, when that is wanted", async () => {
  const asked = undos(() => null);
  const { place, sent } = await editing("t6", { changedSince: () => ["t8", "t6"] });
  expect(place.textContent).toContain("Files stay as they are now.");
  expect(place.textContent).toContain("Undoes what 2 turns");
  await click(one(place, '[data-testid="put-back"]'));
  await click(button(place, "Send in a branch"));
  await act(() => vi.waitFor(() => expect(sent).toMatchObject([{ branchOf: "t6", prompt: "Greet me." }])));
  expect(asked).toEqual([
    { path: "/turns/t8/undo", force: false },
    { path: "/turns/t6/undo", force: false },
  ]);
});

it("stops at the first turn that is not undone, and then only a person says how it goes on", async () => {
  let changed = ["t9", "t7"];
  let refusals = [problem("changed_meanwhile", "a.txt was changed after the turn.")];
  const asked = undos(() => refusals.shift() ?? null);
  const { place, sent } = await editing("t7", { changedSince: () => changed });
  await click(one(place, '[data-testid="put-back"]'));
  await click(button(place, "Send in a branch"));
  await act(() => vi.waitFor(() => button(place, "Undo anyway")));
  expect(one(place, "[role=alert]").textContent).toContain(
    "a.txt was changed after the turn. (0 of 2 turns undone.)",
  );
  expect(sent).toEqual([]);

  refusals = [];
  await click(button(place, "Undo anyway"));
  await act(() => vi.waitFor(() => expect(sent).toHaveLength(1)));
  expect(asked).toEqual([
    { path: "/turns/t9/undo", force: false },
    { path: "/turns/t9/undo", force: true },
    { path: "/turns/t7/undo", force: false },
  ]);

  act(() => sent[0]?.told?.onSettled?.());
  changed = ["t7"];
  refusals = [problem("conflict", "The turn is undone already.")];
  await click(button(place, "Send in a branch"));
  await act(() => vi.waitFor(() => button(place, "Branch without")));
  expect([...place.querySelectorAll("button")].map((each) => each.textContent)).not.toContain("Undo anyway");
  await click(button(place, "Branch without"));
  expect(sent).toHaveLength(2);
});

it("also puts back what a turn changed that ended while the form was open", async () => {
  const asked = undos(() => null);
  const changed = ["t11"];
  const { place, sent } = await editing("t11", { changedSince: () => changed });
  await click(one(place, '[data-testid="put-back"]'));
  changed.unshift("t12");
  await click(button(place, "Send in a branch"));
  await act(() => vi.waitFor(() => expect(sent).toHaveLength(1)));
  expect(asked.map(({ path }) => path)).toEqual(["/turns/t12/undo", "/turns/t11/undo"]);
});

it("forces only the turn of which a person was told, also when a newer one changed files since", async () => {
  let changed = ["t13"];
  const refusals = [problem("changed_meanwhile", "a.txt was changed after the turn.")];
  const asked = undos(() => refusals.shift() ?? null);
  const { place } = await editing("t13", { changedSince: () => changed });
  await click(one(place, '[data-testid="put-back"]'));
  await click(button(place, "Send in a branch"));
  await act(() => vi.waitFor(() => button(place, "Undo anyway")));
  changed = ["t14", "t13"];
  await click(button(place, "Undo anyway"));
  await act(() => vi.waitFor(() => expect(asked).toHaveLength(3)));
  expect(asked.slice(1)).toEqual([
    { path: "/turns/t14/undo", force: false },
    { path: "/turns/t13/undo", force: true },
  ]);
});

it("is one run in a session, and its refusal is told elsewhere while the form is away, and in the form when it is back", async () => {
  let refuse = (_: Response) => {};
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return new Promise<Response>((done) => {
      refuse = done;
    });
  });
  const first = await editing("t15", { changedSince: () => ["t15"] });
  await click(one(first.place, '[data-testid="put-back"]'));
  await click(button(first.place, "Send in a branch"));
  first.leave();

  const other = await editing("t16", { changedSince: () => ["t16"] });
  expect(button(other.place, "Send in a branch").disabled).toBe(true);
  await act(async () => refuse(problem("conflict", "The turn is undone already.")));
  await act(() => vi.waitFor(() => expect(useBranchFailures.getState().t15?.told).toBe(false)));
  expect(useBranchFailures.getState().t15?.why).toBe("The turn is undone already. (0 of 1 turn undone.)");
  expect(asked).toEqual(["/api/v1/turns/t15/undo"]);
  expect(button(other.place, "Send in a branch").disabled).toBe(false);
  other.leave();

  const back = await editing("t15", { changedSince: () => ["t15"] });
  expect(useBranchFailures.getState().t15?.told).toBe(true);
  expect(one(back.place, "[role=alert]").textContent).toContain("The turn is undone already.");
  await click(button(back.place, "Branch without"));
  expect(back.sent).toMatchObject([{ branchOf: "t15" }]);
});

it("offers nothing of the kind where a branch has a worktree of its own", async () => {
  const { place } = await editing("t10", { worktree: true, changedSince: () => ["t10"] });
  expect(place.querySelector('[data-testid="put-back"]')).toBeNull();
});
