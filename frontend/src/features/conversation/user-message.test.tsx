import { act } from "react";
import { expect, it } from "vitest";
import { onPage } from "../../ui/on-page";
import { type Resend, ResendContext } from "./resend";
import { SentPrompt } from "./user-message";

it("an edited prompt stays in its box until it was sent", () => {
  const sent: { prompt: string; told: Parameters<Resend["send"]>[1] }[] = [];
  const resend: Resend = { canSend: true, send: (prompt, told) => sent.push({ prompt, told }) };
  const { place: container } = onPage(
    <ResendContext value={resend}>
      <SentPrompt turnId="t1" text="Greet me." />
    </ResendContext>,
  );
  const box = () => container.querySelector("textarea");
  const edit = [...container.querySelectorAll("button")].find((one) => one.textContent === "Edit");
  act(() => edit?.click());
  const send = () => act(() => container.querySelector("form")?.requestSubmit());

  send();
  expect(box()?.readOnly).toBe(true);
  act(() => sent[0]?.told?.onSettled?.());
  expect(box()?.value).toBe("Greet me.");
  expect(box()?.readOnly).toBe(false);

  send();
  act(() => {
    sent[1]?.told?.onSuccess?.();
    sent[1]?.told?.onSettled?.();
  });
  expect(box()).toBeNull();
});
