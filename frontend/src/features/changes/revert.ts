// Puts files back to what they were at the last commit, as a whole or by the hunk, and takes that back again.
import type { QueryClient } from "@tanstack/react-query";
import { createEntry, deleteEntry, fileQuery, saveFile } from "../../api/files";
import type { ChangedFile } from "../../protocol/messages.gen";
import type { DiffFile } from "./diff";
import { type Hunk, hunksOf, textBefore, without } from "./hunks";

/** Takes back what was put back, as long as the file was left alone since. */
export type Undo = () => Promise<unknown>;

/** What was asked for cannot be done here, and why. */
export class NoRevertError extends Error {}

const STALE =
  "The file was changed since these differences were read. Read again, and look at them once more.";
const UNKNOWN_TEXT =
  "Only text of at most 1 MiB is put back here. “git restore” in a terminal does it with this file.";

/** Puts some hunks of a changed file back, and leaves the rest of it. */
export async function revertHunks(
  client: QueryClient,
  sessionId: string,
  path: string,
  hunks: readonly Hunk[],
): Promise<Undo> {
  const now = await client.fetchQuery({ ...fileQuery(sessionId, path), staleTime: 0 });
  if (now.kind !== "text" || !now.sha256) throw new NoRevertError(UNKNOWN_TEXT);
  const text = now.text ?? "";
  const before = without(text, hunks);
  if (before === null) throw new NoRevertError(STALE);
  const saved = await saveFile(sessionId, path, { text: before, expectedSha256: now.sha256 });
  return () => saveFile(sessionId, path, { text, expectedSha256: saved.sha256 ?? "" });
}

/** Puts a whole file back: its text, or that it is there, or that it is not. */
export async function revertFile(
  client: QueryClient,
  sessionId: string,
  file: ChangedFile,
  diff: DiffFile | undefined,
): Promise<Undo> {
  switch (file.status) {
    case "M": {
      const hunks = hunksOf(diff?.lines ?? []);
      if (hunks.length === 0) throw new NoRevertError(UNKNOWN_TEXT);
      return revertHunks(client, sessionId, file.path, hunks);
    }
    case "D": {
      const isText = diff?.lines.some((line) => line.kind === "hunk");
      if (!isText || !diff) throw new NoRevertError(UNKNOWN_TEXT);
      await createEntry(sessionId, file.path, { type: "file", text: textBefore(diff) });
      return () => deleteEntry(sessionId, file.path);
    }
    case "A":
    case "?": {
      const now = await client.fetchQuery({ ...fileQuery(sessionId, file.path), staleTime: 0 });
      if (now.kind !== "text")
        throw new NoRevertError(
          "A file that is no text of at most 1 MiB is not deleted here, because nobody could take that back. Delete it in the list of files.",
        );
      await deleteEntry(sessionId, file.path);
      return () => createEntry(sessionId, file.path, { type: "file", text: now.text ?? "" });
    }
    case "U":
      throw new NoRevertError("A merge left this file undecided. Settle it in the editor or in a terminal.");
  }
}
