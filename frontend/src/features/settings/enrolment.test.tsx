import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DroneView } from "../../protocol/messages.gen";
import { button, click, one, onPage } from "../../ui/on-page";
import { Enrolment } from "./enrolment";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2026-11-20T10:00:00Z") }));
afterEach(() => vi.useRealTimers());

const enrolment = { code: "abc-def", expiresAt: "2026-11-20T10:10:00Z" } as never;
const drone = (part: Partial<DroneView>) =>
  ({ id: "d1", name: "Anvil", status: "available", ...part }) as DroneView;

it("says how the program is made on each system, and copies what runs it, without the directory to choose", async () => {
  const copied: string[] = [];
  vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => copied.push(text) } });
  const page = onPage(<Enrolment enrolment={enrolment} drones={[]} again={() => {}} />);
  const choose = (value: string) => click(one(page.place, `input[value="${value}"]`));
  await choose("Linux");
  const lines = () => one(page.place, "details pre").textContent ?? "";
  expect(lines()).toContain("./gadget native drone\ninstall -D -m 0755 drone-service/target/gadget-drone");
  await choose("macOS");
  expect(lines()).not.toContain("install -D");
  expect(page.place.textContent).toContain("the drone asks before each of them");
  await choose("For a machine with Java 25");
  expect(lines()).toContain("./gadget build drone\nmkdir -p");
  expect(lines()).not.toContain("gadget test");
  expect(lines()).toContain("exec java -jar ~/.local/share/gadget-drone/quarkus-run.jar");

  await click([...page.place.querySelectorAll("button")].at(-1) as HTMLElement);
  expect(copied).toEqual([
    `gadget-drone enroll --server ${window.location.origin} --code abc-def\ngadget-drone run`,
  ]);
  page.leave();
});

it("tells what becomes of the code: it waits, is used, and the drone is there; one of before is another", () => {
  const before = drone({ id: "d0" });
  const shown = (drones: DroneView[]) => <Enrolment enrolment={enrolment} drones={drones} again={() => {}} />;
  const page = onPage(shown([before]));
  const state = () => one(page.place, '[data-testid="enrolment-state"]').textContent;
  expect(state()).toBe("Waiting for the drone …");
  page.again(shown([before, drone({ status: "offline" })]));
  expect(state()).toBe("Anvil is enrolled. Now start it: gadget-drone run");
  page.again(shown([before, drone({})]));
  expect(state()).toBe("Anvil is connected (available).Go on");
  act(() => void vi.advanceTimersByTime(11 * 60_000));
  expect(page.place.textContent).not.toContain("works no more");
  page.leave();
});

it("offers another code when nobody used it in time", async () => {
  const again = vi.fn();
  const page = onPage(<Enrolment enrolment={enrolment} drones={[]} again={again} />);
  act(() => void vi.advanceTimersByTime(10 * 60_000 + 1));
  expect(page.place.textContent).toContain("works no more");
  await click(button(page.place, "Get another code"));
  expect(again).toHaveBeenCalledOnce();
  page.leave();
});
