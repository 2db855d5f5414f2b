import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, FilePen, Undo2 } from "lucide-react";
import { useId, useMemo, useState } from "react";
import { changesQuery, diffQuery, workspaceKey } from "../../api/files";
import { messageOf } from "../../api/http";
import type { ChangedFile } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Notice } from "../../ui/notice";
import { PlainText } from "../../ui/plain-text";
import { StatusLetter } from "../files/status-letter";
import type { WorkspaceAccess } from "../files/workspace-access";
import { usePanel } from "../panel/panel-state";
import { readDiff } from "./diff";
import { DiffLines } from "./diff-lines";
import { useDiffStyle } from "./diff-style";
import { type Hunk, hunksOf } from "./hunks";
import { revertFile, revertHunks, type Undo } from "./revert";

interface ChangeItemProps {
  sessionId: string;
  file: ChangedFile;
  access: WorkspaceAccess;
  /** Whether the next commit takes it. */
  chosen: boolean;
  onChoose(chosen: boolean): void;
  /** Something was put back; it can be taken back. */
  onReverted(words: string, undo: Undo): void;
}

/** What is asked about before it is done: a hunk, by where it begins, or the whole file. */
type Asked = number | "file" | null;

/** One file that differs, and how. */
export function ChangeItem({ sessionId, file, access, chosen, onChoose, onReverted }: ChangeItemProps) {
  const client = useQueryClient();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>(null);
  const { style } = useDiffStyle();
  const diff = useQuery({ ...diffQuery(sessionId, file.path), enabled: open });
  const read = useMemo(() => (diff.data ? readDiff(diff.data.diff)[0] : undefined), [diff.data]);
  const lines = read?.lines ?? [];
  const hunks = useMemo(() => hunksOf(lines), [lines]);
  const partly = diff.data && !diff.data.complete;

  const revert = useMutation({
    mutationFn: async (hunk: Hunk | null) => {
      await access.takeOver();
      return hunk
        ? revertHunks(client, sessionId, file.path, [hunk])
        : revertFile(client, sessionId, file, read);
    },
    onSuccess: async (undo, hunk) => {
      setAsked(null);
      onReverted(hunk ? `A part of ${file.path} is as it was.` : wordsOf(file), undo);
      await client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
    },
    onError: () => void client.invalidateQueries({ queryKey: changesQuery(sessionId).queryKey }),
  });
  const away =
    access.mode === "agent"
      ? "The agent works here"
      : access.mode === "away"
        ? "The drone is not connected"
        : "";

  const question = (hunk: Hunk | null) => (
    <span className="sticky left-3 mx-3 my-1 flex w-fit max-w-[calc(100vw-7rem)] flex-wrap items-center gap-2 font-sans text-xs whitespace-normal text-ink">
      {hunk ? "Put this part back to the last commit?" : questionOf(file)}
      <Button kind="danger" size="small" busy={revert.isPending} onClick={() => revert.mutate(hunk)}>
        {file.status === "A" || file.status === "?" ? "Delete it" : "Revert"}
      </Button>
      <Button size="small" onClick={() => setAsked(null)}>
        Keep it
      </Button>
    </span>
  );

  const atHunk = (at: number) => {
    const hunk = hunks.find((one) => one.at === at);
    if (!hunk || file.status !== "M" || partly) return null;
    if (asked === at) return question(hunk);
    return (
      <button
        type="button"
        data-testid="revert-hunk"
        disabled={!!away}
        title={away || "Put this part back to the last commit"}
        onClick={() => setAsked(at)}
        className="ml-3 inline-flex items-center gap-1 rounded px-1 font-sans text-2xs hover:bg-raised hover:text-ink disabled:opacity-50"
      >
        <Undo2 size={11} aria-hidden />
        Revert
      </button>
    );
  };

  return (
    <li data-testid="change-item" data-path={file.path} data-status={file.status}>
      <div className="group flex h-8 items-center gap-1 pr-2 pl-2 hover:bg-sunken">
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
          aria-label={`Commit ${file.path}`}
          className="accent-(--accent)"
        />
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex h-full min-w-0 flex-1 items-center gap-1.5 pl-1 text-left text-sm -outline-offset-2"
        >
          <ChevronRight size={13} aria-hidden className={`shrink-0 text-faint ${open ? "rotate-90" : ""}`} />
          <StatusLetter status={file.status} />
          <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path} dir="ltr">
            <PlainText text={file.path} />
          </span>
        </button>
        {open && diff.data && !partly && file.status !== "U" && (
          <button
            type="button"
            data-testid="revert-file"
            disabled={!!away}
            aria-label={`Revert ${file.path}`}
            title={away || "Put the whole file back to the last commit"}
            onClick={() => setAsked("file")}
            className="rounded p-1 text-faint hover:bg-raised hover:text-ink disabled:opacity-50"
          >
            <Undo2 size={13} aria-hidden />
          </button>
        )}
        {file.status !== "D" && (
          <button
            type="button"
            aria-label={`Open ${file.path}`}
            title="Open the file"
            onClick={() => usePanel.getState().openFile(file.path)}
            className="rounded p-1 text-faint hover:bg-raised hover:text-ink"
          >
            <FilePen size={13} aria-hidden />
          </button>
        )}
      </div>
      <div id={id} hidden={!open}>
        {asked === "file" && <div className="flex py-1.5">{question(null)}</div>}
        {revert.error && (
          <div className="p-2">
            <Notice tone="bad">{messageOf(revert.error)}</Notice>
          </div>
        )}
        {open && diff.error && (
          <div className="p-3">
            <Notice tone="bad">{messageOf(diff.error)}</Notice>
          </div>
        )}
        {open && diff.isPending && !diff.error && (
          <p className="px-3 py-2 text-xs text-faint">Asking git …</p>
        )}
        {open && diff.data && lines.length === 0 && (
          <p className="px-3 py-2 text-xs text-faint">Its content is the same.</p>
        )}
        {open && lines.length > 0 && (
          <div data-testid="diff" className="border-y">
            <DiffLines lines={lines} style={style} atHunk={atHunk} />
          </div>
        )}
        {open && partly && (
          <p className="px-3 py-2 text-xs text-faint">
            The diff is cut at 1 MiB, so that no part of it can be put back here.
          </p>
        )}
      </div>
    </li>
  );
}

function questionOf(file: ChangedFile): string {
  switch (file.status) {
    case "A":
    case "?":
      return "It is new: to put it back is to delete it.";
    case "D":
      return "Make the file again, as it was at the last commit?";
    default:
      return "Put the whole file back to the last commit?";
  }
}

function wordsOf(file: ChangedFile): string {
  return file.status === "A" || file.status === "?"
    ? `${file.path} is deleted.`
    : `${file.path} is as it was.`;
}
