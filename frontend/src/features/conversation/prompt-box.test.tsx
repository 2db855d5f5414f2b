import { QueryClient } from "@tanstack/react-query";
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { dronesQuery } from "../../api/queries";
import type { SessionDetail } from "../../protocol/messages.gen";
import { button, click, one, onPage, press, type } from "../../ui/on-page";
import { LONG_PASTE_CHARS } from "./attach";
import { PromptBox } from "./prompt-box";
import type { Submitting } from "./submitting";

const session = { id: "s1", workspaceId: "w1", whenBusy: "queue" } as SessionDetail;
const submitting = { begin() {}, accepted() {}, failed() {} } as unknown as Submitting;
const PASTED = "x".repeat(LONG_PASTE_CHARS + 1);

let requests: string[];
let written: (answer: Response) => void;

beforeEach(() => {
  localStorage.clear();
  requests = [];
  const file = new Promise<Response>((resolve) => {
    written = resolve;
  });
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    requests.push(`${method} ${path.replace(/\?.*/, "")}`);
    return path.includes("/file?") ? file : Response.json({ workspaceId: "w1", mode: "idle" });
  });
});

function pasted() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(dronesQuery.queryKey, [
    { id: "d1", workspaceId: "w1", status: "available", workspaceMode: "idle" },
  ] as never);
  const page = onPage(
    <PromptBox session={session} runningTurnId={undefined} sent={[]} submitting={submitting} />,
    client,
  );
  const box = one<HTMLTextAreaElement>(page.place, "textarea");
  const paste = Object.assign(new Event("paste", { bubbles: true }), {
    clipboardData: { getData: () => PASTED },
  });
  act(() => void box.dispatchEvent(paste));
  type(box, PASTED);
  return { ...page, box };
}

it("sends nothing while a pasted text becomes a file, and then names the file", async () => {
  const { place, box, leave } = pasted();
  await click(button(place, "Attach as a file"));
  await act(() => vi.waitFor(() => expect(button(place, "Keep as text").disabled).toBe(true)));
  press(box, "Enter");
  expect(box.value).toBe(PASTED);
  type(box, `Why? ${PASTED}`);
  await act(async () => written(Response.json({})));
  await act(() => vi.waitFor(() => expect(box.value).toMatch(/^Why\? @pasted-\S+ $/)));
  expect(requests).not.toContain("POST /api/v1/sessions/s1/turns");
  leave();
});

it("writes nothing into a box that was emptied meanwhile", async () => {
  const { place, box, leave } = pasted();
  await click(button(place, "Attach as a file"));
  type(box, "");
  await act(async () => written(Response.json({})));
  await act(() => vi.waitFor(() => expect(place.querySelector('[data-testid="paste-offer"]')).toBeNull()));
  expect(box.value).toBe("");
  leave();
});
