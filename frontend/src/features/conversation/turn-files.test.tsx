import { expect, it, vi } from "vitest";
import { changesQuery } from "../../api/files";
import type { TurnFiles as Files } from "../../protocol/messages.gen";
import { emptyTurn } from "../../turn/recorded";
import { button, click, onPage } from "../../ui/on-page";
import { TurnFiles } from "./turn-files";

it("what is shown of the workspace is read again when a turn was undone", async () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  const files = { total: 0, files: [], diff: "", undone: false } as Partial<Files> as Files;
  const page = onPage(<TurnFiles turn={{ ...emptyTurn, status: "finished" }} files={files} />);
  const { queryKey } = changesQuery(emptyTurn.sessionId);
  page.client.setQueryData(queryKey, { files: [] } as never);
  await click(button(page.place, "Undo"));
  await vi.waitFor(() => expect(page.client.getQueryState(queryKey)?.isInvalidated).toBe(true), 30_000);
  page.leave();
});
