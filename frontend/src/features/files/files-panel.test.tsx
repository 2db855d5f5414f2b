import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { expect, it, vi } from "vitest";
import { fileQuery, folderQuery } from "../../api/files";
import { dronesQuery } from "../../api/queries";
import type { SessionDetail } from "../../protocol/messages.gen";
import { button, click, one, onPage, press } from "../../ui/on-page";
import { usePanel } from "../panel/panel-state";
import { ROOT } from "./tree";

// What jsdom has not. A narrow panel hides the tree beside a file.
HTMLDialogElement.prototype.showModal = () => {};
Element.prototype.checkVisibility = function visible() {
  return (
    !this.closest("[data-hidden]") && !(this.closest('[role="tree"]') && document.querySelector("section"))
  );
};
const { FilesPanel } = await import("./files-panel");
await import("./file-editor");

const session = { id: "s1", workspaceId: "w1" } as SessionDetail;

function shown() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(dronesQuery.queryKey, []);
  client.setQueryData(folderQuery("s1", ROOT).queryKey, {
    path: ROOT,
    complete: true,
    entries: ["a.bin", "b.bin"].map((name) => ({ name, type: "file" as const })),
  } as never);
  for (const path of ["a.bin", "b.bin"])
    client.setQueryData(fileQuery("s1", path).queryKey, { path, kind: "binary", size: 7 });
  const page = onPage(
    <>
      <textarea />
      <button type="button" data-hidden>
        Changes
      </button>
      <FilesPanel session={session} />
    </>,
    client,
  );
  // What is loaded late is shown between two looks.
  const shows = (look: () => void) =>
    vi.waitFor(async () => {
      await act(async () => {});
      look();
    }, 30_000);
  const has = (selector: string) =>
    shows(() => expect(document.activeElement).toBe(one(page.place, selector)));
  return { ...page, shows, has };
}

it("has the focus in the file that is opened, and in the tree when it is closed", async () => {
  const { place, has, leave } = shown();
  const item = one<HTMLElement>(place, '[data-path="b.bin"]');
  item.focus();
  press(item, "Enter");
  await has('section[aria-label="b.bin"]');
  await click(button(place, "Back to the files"));
  await has('[data-path="b.bin"]');
  leave();
});

it("has the focus in a file that another tab opens, unless somebody types elsewhere", async () => {
  const { place, shows, has, leave } = shown();
  button(place, "Changes").focus();
  act(() => usePanel.getState().openFile("a.bin"));
  await has('section[aria-label="a.bin"]');
  one<HTMLElement>(place, "textarea").focus();
  act(() => usePanel.getState().openFile("b.bin"));
  await shows(() => one(place, 'section[aria-label="b.bin"]'));
  await has("textarea");
  leave();
});
