import { act, useRef } from "react";
import { beforeEach, expect, it, vi } from "vitest";

const media = Object.assign(new EventTarget(), { matches: true });
vi.stubGlobal("matchMedia", () => media);
window.matchMedia = globalThis.matchMedia;
const { button, click, one, onPage, press } = await import("./on-page");
const { PanelToggle, SidePanel } = await import("../features/panel/side-panel");
const { usePanel } = await import("../features/panel/panel-state");
const { useSheet } = await import("./sheet");

import type { SessionDetail } from "../protocol/messages.gen";

vi.mock("../features/panel/panel-tabs", () => ({
  PANEL_TABS: ["files", "changes"].map((id) => ({ id, label: id, Icon: () => null, Content: () => null })),
}));

const page = () =>
  onPage(
    <>
      <header>
        <PanelToggle />
        <dialog />
      </header>
      <main>
        <div data-testid="conversation">
          <button type="button">Elsewhere</button>
        </div>
        <SidePanel session={{} as SessionDetail} />
      </main>
    </>,
  );
const opener = (place: ParentNode) => one(place, '[aria-controls="side-panel"]');
const isInert = (place: ParentNode, selector: string) => one(place, selector).closest("[inert]") !== null;

beforeEach(() => {
  media.matches = true;
  act(() => usePanel.setState({ open: false, tab: "changes" }));
});

it("on a narrow screen the panel takes the focus, and nothing below it can be reached", async () => {
  const { place, leave } = page();
  await click(opener(place));
  expect(document.activeElement?.id).toBe("panel-tab-changes");
  expect(isInert(place, '[data-testid="conversation"]')).toBe(true);
  expect(isInert(place, "header")).toBe(true);
  expect(isInert(place, "aside")).toBe(false);
  await click(button(place, "Close the panel"));
  expect(place.querySelector("[inert]")).toBeNull();
  expect(document.activeElement).toBe(opener(place));
  leave();
});

it("Escape closes the panel wherever the focus is, but not below a dialog", async () => {
  const { place, leave } = page();
  await click(opener(place));
  one(place, "dialog").setAttribute("open", "");
  press(document.body, "Escape");
  expect(usePanel.getState().open).toBe(true);
  one(place, "dialog").removeAttribute("open");
  act(() => (document.activeElement as HTMLElement).blur());
  press(document.body, "Escape");
  expect(usePanel.getState().open).toBe(false);
  expect(document.activeElement).toBe(opener(place));
  leave();
});

it("on a wide screen everything can be reached, and the focus does not get lost with the panel", async () => {
  media.matches = false;
  const { place, leave } = page();
  await click(opener(place));
  expect(document.activeElement).toBe(opener(place));
  expect(place.querySelector("[inert]")).toBeNull();
  await click(button(place, "Close the panel"));
  expect(document.activeElement).toBe(opener(place));
  await click(opener(place));
  await click(button(place, "Elsewhere"));
  act(() => usePanel.getState().toggle());
  expect(document.activeElement).toBe(button(place, "Elsewhere"));
  leave();
});

it("a page that becomes narrow is covered, and free again when the panel is gone", async () => {
  media.matches = false;
  const { place, leave, again } = page();
  await click(opener(place));
  media.matches = true;
  act(() => void media.dispatchEvent(new Event("change")));
  expect(document.activeElement?.id).toBe("panel-tab-changes");
  expect(isInert(place, "header")).toBe(true);
  media.matches = false;
  act(() => void media.dispatchEvent(new Event("change")));
  expect(place.querySelector("[inert]")).toBeNull();
  expect(document.activeElement?.id).toBe("panel-tab-changes");
  media.matches = true;
  act(() => void media.dispatchEvent(new Event("change")));
  expect(isInert(place, "header")).toBe(true);
  again(<header />);
  expect(place.querySelector("[inert]")).toBeNull();
  leave();
});

it("what closes a sheet with a click can be clicked", () => {
  function Menu() {
    const box = useRef<HTMLElement>(null);
    useSheet(box, { open: true, covers: true, first: "a", opener: "p", close: () => {} });
    return (
      <nav ref={box}>
        <a href="#x">x</a>
      </nav>
    );
  }
  const { place, leave } = onPage(
    <>
      <button type="button" data-veil="" />
      <Menu />
      <main />
    </>,
  );
  expect([...place.querySelectorAll("[inert]")].map((each) => each.tagName)).toEqual(["MAIN"]);
  expect(document.activeElement?.tagName).toBe("A");
  leave();
});
