import { undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { fileQuery } from "../../api/files";
import type { FileView } from "../../protocol/messages.gen";
import { button, click, one, onPage } from "../../ui/on-page";
import { keepDraft, readDraft } from "./drafts";
import type { WorkspaceAccess } from "./workspace-access";

// What jsdom has not.
vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
window.matchMedia = globalThis.matchMedia;
window.requestAnimationFrame = () => 0;
HTMLDialogElement.prototype.showModal = () => {};
const { FileEditor } = await import("./file-editor");

const access: WorkspaceAccess = { mode: "user", takeOver: async () => {}, giveBack: async () => {} };
const theirs: FileView = { path: "a.txt", kind: "text", text: "theirs\n", size: 7, sha256: "new" };

beforeEach(() => localStorage.clear());

function opened() {
  keepDraft("s", "a.txt", "mine\n", "old");
  return openedAgain();
}

function openedAgain(file = theirs) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(fileQuery("s", "a.txt").queryKey, file);
  return onPage(
    <FileEditor
      sessionId="s"
      path="a.txt"
      access={access}
      asked={null}
      onDraft={() => {}}
      onClose={() => {}}
    />,
    client,
  );
}

function editorIn(place: ParentNode, host: string, selector = ".cm-editor"): EditorView {
  const root = one(place, host).shadowRoot as ShadowRoot;
  return EditorView.findFromDOM(one(root as unknown as HTMLElement, selector)) as EditorView;
}

const merged = (place: ParentNode) => editorIn(place, '[data-testid="merge"]', ".cm-merge-b");

it("text that was typed over an older version of the file is there again", () => {
  const page = opened();
  expect(editorIn(page.place, '[data-testid="code"]').state.sliceDoc()).toBe("mine\n");
  page.leave();
});

it.each([["Go on typing"], ["Close"]])(
  "what was put together is in the editor after “%s”, and kept over a reload",
  async (leaving) => {
    const page = opened();
    await click(button(page.place, "Compare"));
    act(() => merged(page.place).dispatch({ changes: { from: 5, insert: "theirs\n" } }));
    await click(button(one(page.place, "dialog"), leaving));
    expect(page.place.querySelector("dialog")).toBeNull();
    expect(editorIn(page.place, '[data-testid="code"]').state.sliceDoc()).toBe("mine\ntheirs\n");
    expect(readDraft("s", "a.txt")).toMatchObject({ text: "mine\ntheirs\n", sha256: "old" });
    page.leave();
  },
);

it("what the editor could undo is still there when nothing was put together", async () => {
  const page = opened();
  const view = editorIn(page.place, '[data-testid="code"]');
  act(() => view.dispatch({ changes: { from: 0, insert: "my " } }));
  await click(button(page.place, "Compare"));
  act(() => void one(page.place, "dialog").dispatchEvent(new Event("cancel", { cancelable: true })));
  expect(view.state.sliceDoc()).toBe("my mine\n");
  expect(undo(view)).toBe(true);
  expect(view.state.sliceDoc()).toBe("mine\n");
  page.leave();
});

it("what is being put together outlives a reload, and is compared with the file again then", async () => {
  const page = opened();
  await click(button(page.place, "Compare"));
  act(() => merged(page.place).dispatch({ changes: { from: 5, insert: "theirs\n" } }));
  act(() => void window.dispatchEvent(new Event("pagehide")));
  expect(readDraft("s", "a.txt")).toMatchObject({ text: "mine\ntheirs\n", sha256: "old" });
  page.leave();
  const again = openedAgain();
  expect(editorIn(again.place, '[data-testid="code"]').state.sliceDoc()).toBe("mine\ntheirs\n");
  await click(button(again.place, "Compare"));
  expect(merged(again.place).state.sliceDoc()).toBe("mine\ntheirs\n");
  again.leave();
});

const OLD = "one\ntwo\nthree\nfour\n";
const changed: FileView = { ...theirs, text: OLD.replace("four", "FOUR"), sha256: "new" };

/** An editor whose person changed the first line of a file, and whose file was changed on the drone meanwhile. */
function both(mine = OLD.replace("one", "ONE"), file = changed) {
  keepDraft("s", "a.txt", mine, "old", OLD);
  return openedAgain(file);
}

it("comparing begins with what both changed, when these are different lines", async () => {
  const page = both();
  await click(button(page.place, "Compare"));
  expect(merged(page.place).state.sliceDoc()).toBe("ONE\ntwo\nthree\nFOUR\n");
  expect(one(page.place, '[data-testid="merge-left"]').dataset.left).toBe("0");
  page.leave();
});

it("where both changed the same lines it is one's own text, and says in how many places", async () => {
  const page = both(OLD.replace("one", "ONE").replace("four", "4"));
  await click(button(page.place, "Compare"));
  expect(merged(page.place).state.sliceDoc()).toBe("ONE\ntwo\nthree\n4\n");
  expect(one(page.place, '[data-testid="merge-left"]').textContent).toContain("one place");
  page.leave();
});

it("leaving without a change leaves the text in the editor, and what it can undo", async () => {
  const page = both();
  const view = editorIn(page.place, '[data-testid="code"]');
  act(() => view.dispatch({ changes: { from: 0, insert: "my " } }));
  await click(button(page.place, "Compare"));
  await click(button(one(page.place, "dialog"), "Go on typing"));
  expect(view.state.sliceDoc()).toBe("my ONE\ntwo\nthree\nfour\n");
  expect(undo(view)).toBe(true);
  page.leave();
});

it("what was put together wins over what both changed, also after a reload", async () => {
  const page = both();
  await click(button(page.place, "Compare"));
  // The change of the drone is taken out again.
  act(() => merged(page.place).dispatch({ changes: { from: 14, to: 18, insert: "four" } }));
  act(() => void window.dispatchEvent(new Event("pagehide")));
  page.leave();
  const again = openedAgain(changed);
  await click(button(again.place, "Compare"));
  expect(merged(again.place).state.sliceDoc()).toBe("ONE\ntwo\nthree\nfour\n");
  again.leave();
  const later = openedAgain({ ...changed, text: changed.text?.replace("two", "2"), sha256: "newer" });
  await click(button(later.place, "Compare"));
  expect(merged(later.place).state.sliceDoc()).toBe("ONE\n2\nthree\nfour\n");
  later.leave();
});

/** What the service says to a request; without words it does not answer yet. */
function service(says: (method: string) => Response | Promise<Response>) {
  vi.stubGlobal("fetch", async (_: string, { method = "GET" }: RequestInit) => says(method));
}

const refused = (status: number, code: string, detail: string) =>
  Response.json({ status, code, detail, title: detail }, { status });

it("a save that fails while texts are put together is told there, above its buttons", async () => {
  service(() => refused(503, "no_drone", "The drone is not connected."));
  const page = opened();
  await click(button(page.place, "Compare"));
  await click(button(page.place, "Save this text"));
  await act(() =>
    vi.waitFor(() => expect(one(page.place, "dialog").textContent).toContain("The drone is not connected.")),
  );
  page.leave();
});

it("what was saved stays when an older read of the file comes after it", async () => {
  let answers = (_: Response) => {};
  const older = new Promise<Response>((resolve) => {
    answers = resolve;
  });
  service((method) => {
    if (method === "PUT") return Response.json({ ...theirs, text: undefined, sha256: "saved" });
    return older;
  });
  const page = openedAgain();
  const view = editorIn(page.place, '[data-testid="code"]');
  const key = fileQuery("s", "a.txt").queryKey;
  act(() => void page.client.invalidateQueries({ queryKey: key }));
  act(() => view.dispatch({ changes: { from: 0, insert: "my " } }));
  act(() => void window.dispatchEvent(new Event("pagehide")));
  await click(one(page.place, '[data-testid="file-save"]'));
  await act(() => vi.waitFor(() => expect(page.client.getQueryData(key)?.sha256).toBe("saved")));
  await act(async () => answers(Response.json(theirs)));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(page.client.getQueryData(key)).toMatchObject({ sha256: "saved", text: "my theirs\n" });
  expect(view.state.sliceDoc()).toBe("my theirs\n");
  page.leave();
});

it("says of an open file that nobody changed that it is gone, or no text any more", async () => {
  service(() => refused(404, "not_found", "There is no a.txt."));
  const page = openedAgain();
  void page.client.invalidateQueries({ queryKey: fileQuery("s", "a.txt").queryKey });
  await act(() =>
    vi.waitFor(() => expect(page.place.textContent).toContain("The file is gone on the drone")),
  );
  const binary: FileView = { path: "a.txt", kind: "binary", size: 7, sha256: "other" };
  await act(async () => page.client.setQueryData(fileQuery("s", "a.txt").queryKey, binary));
  await act(() => vi.waitFor(() => expect(page.place.textContent).toContain("no text of at most 1 MiB")));
  page.leave();
});
