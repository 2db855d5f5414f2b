import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { createEntry, deleteEntry, renameEntry } from "../../api/files";
import { messageOf } from "../../api/http";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { PlainText } from "../../ui/plain-text";

/** What a person wants to do with a name in the tree. */
export type EntryTask =
  | { kind: "new-file"; folder: string }
  | { kind: "new-folder"; folder: string }
  | { kind: "rename"; path: string }
  | { kind: "delete"; path: string; folder: boolean };

const WORDS = {
  "new-file": { title: "New file", action: "Make it" },
  "new-folder": { title: "New folder", action: "Make it" },
  rename: { title: "Rename or move", action: "Rename" },
  delete: { title: "Delete", action: "Delete" },
} as const;

function firstValue(task: EntryTask): string {
  if (task.kind === "rename" || task.kind === "delete") return task.path;
  return task.folder === "." ? "" : `${task.folder}/`;
}

async function carryOut(sessionId: string, task: EntryTask, path: string): Promise<unknown> {
  switch (task.kind) {
    case "new-file":
      return createEntry(sessionId, path, { type: "file" });
    case "new-folder":
      return createEntry(sessionId, path, { type: "folder" });
    case "rename":
      return renameEntry(sessionId, task.path, { to: path });
    case "delete":
      return deleteEntry(sessionId, task.path);
  }
}

/** Asks for the name, or whether it is meant; then it is done. */
export function EntryDialog({
  sessionId,
  task,
  takeOver,
  onDone,
  onClose,
}: {
  sessionId: string;
  task: EntryTask;
  takeOver(): Promise<void>;
  onDone(task: EntryTask, path: string): void;
  onClose(): void;
}) {
  const [path, setPath] = useState(firstValue(task));
  const { title, action } = WORDS[task.kind];
  const run = useMutation({
    mutationFn: async () => {
      await takeOver();
      await carryOut(sessionId, task, path.trim());
    },
    onSuccess: () => onDone(task, path.trim()),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    run.mutate();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {task.kind === "delete" ? (
          <p className="text-sm [overflow-wrap:anywhere]">
            <span className="font-mono">
              <PlainText text={task.path} />
            </span>{" "}
            goes{task.folder ? " with all that is in it" : ""}. It cannot be brought back from here.
          </p>
        ) : (
          <Field
            label="Path in the workspace"
            name="path"
            data-testid="entry-path"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            required
            autoComplete="off"
            spellCheck={false}
            hint="Folders that are missing are made."
          />
        )}
        {run.error && <Notice tone="bad">{messageOf(run.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={task.kind === "delete" ? "danger" : "primary"}
            busy={run.isPending}
            data-testid="entry-submit"
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
