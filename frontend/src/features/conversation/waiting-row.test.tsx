import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useConnection } from "../../connection/connection";
import type { BlockUnion } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { apply, copyOf, type TurnCopy } from "../../turn/reducer";
import { one, onPage } from "../../ui/on-page";
import { TurnPart } from "./turn-view";

const AT = "2026-11-20T10:00:00Z";
const said = (text: string, closedAt?: string): BlockUnion => ({
  mode: "responding",
  index: 0,
  createdAt: AT,
  ...(closedAt ? { closedAt } : {}),
  content: text,
});
let turns = 0;
const copy = (blocks: BlockUnion[] = []): TurnCopy =>
  copyOf({ ...emptyTurn, id: `silent-${turns++}`, status: "processing", blocks });
const part = (of: TurnCopy) => <TurnPart copy={of} from={0} to={of.turn.blocks.length} first last />;
const pass = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1_000));

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(Date.parse(AT));
});
afterEach(() => {
  useConnection.setState({ state: "connecting" });
  vi.useRealTimers();
});

it("F23: after ten seconds the waiting line says for how long nothing came, and begins anew with the next word", () => {
  let now = copy();
  const page = onPage(part(now));
  const line = () => page.place.querySelector('[data-testid="waiting"]')?.textContent;
  expect(line()).toBe("Waiting for the model …");
  pass(9);
  expect(line()).toBe("Waiting for the model …");
  pass(31);
  expect(line()).toBe("Waiting for the model, 40 s");
  pass(60);
  expect(line()).toBe("Waiting for the model, 1 min 40 s");

  now = apply(now, { kind: "text_delta", index: 0, mode: "thinking", offset: 0, text: "Hm", createdAt: AT });
  page.again(part(now));
  expect(line()).toBeUndefined();
  pass(12);
  expect(line()).toBe("Waiting for the model, 12 s");
  now = apply(now, {
    kind: "text_delta",
    index: 0,
    mode: "thinking",
    offset: 2,
    text: ", so",
    createdAt: AT,
  });
  page.again(part(now));
  expect(line()).toBeUndefined();
  pass(11);
  expect(line()).toBe("Waiting for the model, 11 s");
  page.leave();
});

it("F23: what is announced does not change with the seconds", () => {
  const page = onPage(part(copy()));
  const announced = () => one(page.place, '[data-testid="waiting"] [role="status"]').textContent;
  expect(announced()).toBe("Waiting for the model");
  pass(40);
  expect(announced()).toBe("Waiting for the model");
  expect(one(page.place, '[data-testid="waiting"] [aria-live="off"]').textContent).toBe(", 40 s");
  page.leave();
});

it("F23: a call that the model stops writing in the middle is waited for as well", () => {
  const growing = apply(copy([said("I write.", AT)]), { kind: "call_grows", name: "write_file", chars: 700 });
  const page = onPage(part(growing));
  expect(page.place.textContent).not.toContain("Waiting for the model");
  pass(15);
  expect(page.place.textContent).toContain("Waiting for the model, 15 s");
  expect(page.place.textContent).toContain("Writing write_file");
  page.leave();
});

it("F23: a page that was just opened knows from the turn since when nothing came, and one that was away goes on", () => {
  vi.setSystemTime(Date.parse(AT) + 25_000);
  const now = copy([said("I look.", AT)]);
  const page = onPage(part(now));
  expect(page.place.textContent).toContain("Waiting for the model, 25 s");
  page.again(null);
  pass(5);
  page.again(part(now));
  expect(page.place.textContent).toContain("Waiting for the model, 30 s");
  page.leave();
});

it("F23: without the service nobody knows what comes, nor of a prompt that has no drone yet", () => {
  const page = onPage(part(copy()));
  pass(20);
  expect(page.place.textContent).toContain("Waiting for the model, 20 s");
  act(() => useConnection.setState({ state: "offline" }));
  expect(page.place.textContent).toContain("Waiting for the model …");
  page.again(part(copyOf({ ...emptyTurn, id: "queued", status: "queued" })));
  act(() => useConnection.setState({ state: "live" }));
  pass(20);
  expect(page.place.textContent).toContain("Handing over to a drone …");
  page.leave();
});
