import { act } from "react";
import { expect, it, vi } from "vitest";
import type { SessionDetail } from "../../protocol/messages.gen";
import { one, onPage } from "../../ui/on-page";
import { usePanel } from "./panel-state";
import { SidePanel } from "./side-panel";

const drawn = vi.hoisted(() => vi.fn());

vi.mock("./panel-tabs", () => ({
  PANEL_TABS: ["files", "session"].map((id) => ({
    id,
    label: id,
    Icon: () => null,
    Content: (props: unknown) => {
      drawn(props);
      return id;
    },
  })),
}));

it("is not drawn anew with each word that streams beside it", () => {
  const session = { id: "s1" } as SessionDetail;
  act(() => usePanel.setState({ open: true, tab: "session" }));
  const beside = (words: string, shown = session) => (
    <>
      <p>{words}</p>
      <SidePanel session={shown} />
    </>
  );
  const page = onPage(beside("One"));
  expect(one(page.place, '[role="tabpanel"]').textContent).toBe("session");
  const before = drawn.mock.calls.length;
  page.again(beside("One word"));
  expect(drawn).toHaveBeenCalledTimes(before);
  page.again(beside("One word", { ...session }));
  expect(drawn).toHaveBeenCalledTimes(before + 1);
  page.leave();
});
