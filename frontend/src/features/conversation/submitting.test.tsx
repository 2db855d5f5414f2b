import { act } from "react";
import { expect, it } from "vitest";
import { emptyTurn } from "../../turn/recorded";
import { copyOf, type TurnCopy } from "../../turn/reducer";
import { onPage } from "../../ui/on-page";
import { type Submitting, useSubmitting } from "./submitting";

const turn = (id: string) => copyOf({ ...emptyTurn, id });
let submitting: Submitting;

function Probe({ all, running }: { all: TurnCopy[]; running?: string }) {
  submitting = useSubmitting(all, running);
  return submitting.prompt;
}

it("shows a prompt until its turn is there, and not again when that turn is removed", () => {
  const page = onPage(<Probe all={[turn("a")]} running="a" />);
  act(() => submitting.begin("Wait for it."));
  expect(page.place.textContent).toBe("");
  act(() => submitting.accepted("b"));
  page.again(<Probe all={[turn("a"), turn("b")]} running="a" />);
  page.again(<Probe all={[turn("a")]} />);
  expect(page.place.textContent).toBe("");

  act(() => submitting.begin("Once more."));
  expect(page.place.textContent).toBe("Once more.");
  act(() => submitting.failed());
  expect(page.place.textContent).toBe("");
});
