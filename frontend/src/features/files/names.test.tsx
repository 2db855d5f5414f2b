import { QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { folderQuery } from "../../api/files";
import { emptyTurn } from "../../turn/recorded";
import { onPage } from "../../ui/on-page";
import { FilesSoFar } from "../replay/files-so-far";
import { EntryDialog } from "./entry-dialog";
import { FileTree } from "./file-tree";

HTMLDialogElement.prototype.showModal = () => {};

/** Shown as it is, it reads "gpj.sh" as an image. */
const NAME = "a\u202Egpj.sh";
const WRITTEN_OUT = "aU+202Egpj.sh";

it("A7: what turns a name around is written out wherever the name stands", () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(folderQuery("s", ".").queryKey, {
    path: ".",
    entries: [{ name: NAME, type: "file" }],
    complete: true,
  });
  const ignored = () => {};
  const page = onPage(
    <>
      <FileTree
        sessionId="s"
        open={new Set()}
        onOpen={ignored}
        selected={null}
        onSelect={ignored}
        onFile={ignored}
        drafts={[]}
      />
      <EntryDialog
        sessionId="s"
        task={{ kind: "delete", path: NAME, folder: false }}
        takeOver={async () => {}}
        onDone={ignored}
        onClose={ignored}
      />
      <FilesSoFar
        turn={emptyTurn}
        edits={[{ path: NAME, block: 0, lines: [], more: 0 }]}
        atEnd={false}
        className=""
      />
    </>,
    client,
  );
  expect(page.place.textContent).not.toContain("\u202E");
  expect(page.place.textContent?.split(WRITTEN_OUT)).toHaveLength(4);
  page.leave();
});
