import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronRight, FileDiff, Redo2, Undo2 } from "lucide-react";
import { readTurnAgain } from "../../api/earlier-turns";
import { workspaceKey } from "../../api/files";
import { call, ProblemError } from "../../api/http";
import type { TurnFiles as Files, Turn, TurnDiff, UndoTurn } from "../../protocol/messages.gen";
import { isEnded } from "../../turn/reducer";
import { Button } from "../../ui/button";
import { DiffView } from "../changes/diff-view";
import { useKept } from "./kept";

/** What a turn changed in files: how much, the diff, and the way back. */
export function TurnFiles({ turn, files }: { turn: Turn; files: Files }) {
  const client = useQueryClient();
  const [open, setOpen] = useKept(`${turn.id}/files`, false);
  const [whole, setWhole] = useKept<string | null>(`${turn.id}/diff`, null);
  const restore = useMutation({
    mutationFn: (force: boolean) => {
      const body: UndoTurn = { force };
      return call(`/turns/${turn.id}/${files.undone ? "redo" : "undo"}`, { method: "POST", body });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: workspaceKey(turn.sessionId) });
      return readTurnAgain(client, turn.sessionId, turn.id);
    },
  });
  const readWhole = useMutation({
    mutationFn: () => call<TurnDiff>(`/turns/${turn.id}/diff`),
    onSuccess: (read) => setWhole(read.diff),
  });
  const inTheWay = restore.error instanceof ProblemError && restore.error.status === 409;
  const added = files.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = files.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  return (
    <section
      data-testid="turn-files"
      data-undone={files.undone}
      aria-label="Files that the turn changed"
      className="rounded-lg border bg-raised"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-2 py-1 text-sm">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-w-0 flex-1 items-center gap-2 text-left"
        >
          <FileDiff size={14} aria-hidden className="shrink-0 text-faint" />
          <span className={files.undone ? "line-through opacity-60" : ""}>
            {files.total} {files.total === 1 ? "file" : "files"} changed
          </span>
          <span className="text-xs text-good tabular-nums">+{added}</span>
          <span className="text-xs text-bad tabular-nums">−{removed}</span>
          {files.undone && <span className="text-xs text-faint">undone</span>}
          <ChevronRight
            size={13}
            aria-hidden
            className={`shrink-0 text-faint transition-transform ${open ? "rotate-90" : ""}`}
          />
        </button>
        {isEnded(turn.status) && (
          <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(false)}>
            {files.undone ? <Redo2 size={12} aria-hidden /> : <Undo2 size={12} aria-hidden />}
            {files.undone ? "Redo" : "Undo"}
          </Button>
        )}
      </div>
      {restore.error && (
        <div className="flex flex-wrap items-center gap-2 border-t px-3 py-2 text-sm text-warn" role="alert">
          <span className="min-w-0 flex-1">{restore.error.message}</span>
          {inTheWay && (
            <Button kind="danger" size="small" busy={restore.isPending} onClick={() => restore.mutate(true)}>
              {files.undone ? "Redo anyway" : "Undo anyway"}
            </Button>
          )}
        </div>
      )}
      {open && (
        <div className="flex flex-col gap-2 border-t p-2">
          <DiffView diff={whole ?? files.diff} label="Changes of the turn" />
          {files.cut && whole === null && (
            <Button kind="quiet" size="small" busy={readWhole.isPending} onClick={() => readWhole.mutate()}>
              Show the rest, from the drone
            </Button>
          )}
          {readWhole.error && <p className="text-xs text-bad">{readWhole.error.message}</p>}
          {files.total > files.files.length && (
            <p className="text-xs text-faint">
              {files.files.length} of {files.total} files are counted above.
            </p>
          )}
        </div>
      )}
    </section>
  );
}
