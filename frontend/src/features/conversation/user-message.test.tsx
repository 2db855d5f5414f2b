import { act } from "react";
import { beforeEach, expect, it } from "vitest";
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
    send: (prompt, told) => sent.push({ prompt, told }),
    branch: (branchOf, prompt, told) => sent.push({ branchOf, prompt, told }),
    ...part,
  };
  const page = onPage(
    <ResendContext value={resend}>
      <SentPrompt turnId={turnId} text="Greet me." />
    </ResendContext>,
  );
  await click(button(page.place, "Edit"));
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
