import { useQueryClient } from "@tanstack/react-query";
import { FilePlus, FolderPlus, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { folderQuery, workspaceKey } from "../../api/files";
import { ErrorBoundary } from "../../app/error-boundary";
import type { SessionDetail } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { useFocusOnce } from "../../ui/return-focus";
import { usePanel } from "../panel/panel-state";
import { draftPaths, lastOpenFile, moveDrafts, rememberOpenFile } from "./drafts";
import { EntryDialog, type EntryTask } from "./entry-dialog";
import { FileTree } from "./file-tree";
import { nameOf, parentOf, ROOT } from "./tree";
import { useWorkspaceAccess } from "./workspace-access";

const FileEditor = lazy(async () => ({ default: (await import("./file-editor")).FileEditor }));

/** The files of the session's workspace: a tree, and one of them open. */
export function FilesPanel({ session }: { session: SessionDetail }) {
  if (!session.workspaceId) {
    return (
      <EmptyState title="No workspace yet">
        The session's first prompt gives it one. Then its files are here.
      </EmptyState>
    );
  }
  return <WorkspaceFiles session={session} />;
}

function WorkspaceFiles({ session }: { session: SessionDetail }) {
  const client = useQueryClient();
  const [openFolders, setOpenFolders] = useState<ReadonlySet<string>>(new Set());
  const [file, setFile] = useState(() => lastOpenFile(session.id));
  const [selected, setSelected] = useState<string | null>(file);
  // What a person opened or closed here, so that the focus goes along.
  const [asked, setAsked] = useState<object | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  useFocusOnce(tree, file === null ? asked : null, '[role="treeitem"][tabindex="0"]');
  const [task, setTask] = useState<EntryTask | null>(null);
  const [drafts, setDrafts] = useState(() => draftPaths(session.id));
  const access = useWorkspaceAccess(session, file !== null && drafts.includes(file));
  const { wanted, taken } = usePanel();
  const canChange = access.mode === "idle" || access.mode === "user";

  const show = useCallback((path: string | null) => {
    setFile(path);
    if (path !== null) setSelected(path);
    setAsked({});
  }, []);

  useEffect(() => {
    if (!wanted) return;
    show(wanted.path);
    taken();
  }, [wanted, taken, show]);
  useEffect(() => rememberOpenFile(session.id, file), [session.id, file]);

  const readAgain = () => client.invalidateQueries({ queryKey: workspaceKey(session.id) });

  function onOpenFolder(folder: string, open: boolean) {
    setOpenFolders((before) => {
      const next = new Set(before);
      if (open) next.add(folder);
      else next.delete(folder);
      return next;
    });
  }

  function onDone(done: EntryTask, path: string) {
    setTask(null);
    void readAgain();
    if (done.kind === "new-file") {
      show(path);
    } else if (done.kind === "rename" || done.kind === "delete") {
      const moved = (one: string) => one === done.path || one.startsWith(`${done.path}/`);
      moveDrafts(session.id, done.path, done.kind === "rename" ? path : null);
      setDrafts(draftPaths(session.id));
      const next = (one: string) => (done.kind === "rename" ? path + one.slice(done.path.length) : null);
      if (file && moved(file)) show(next(file));
      setSelected(next(done.path));
      setOpenFolders((before) => new Set([...before].filter((folder) => !moved(folder))));
    }
  }

  const isFolder = (path: string) =>
    client
      .getQueryData(folderQuery(session.id, parentOf(path)).queryKey)
      ?.entries.some((entry) => entry.name === nameOf(path) && entry.type === "folder") ?? false;
  const folder = selected === null ? ROOT : isFolder(selected) ? selected : parentOf(selected);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1">
        <div
          ref={tree}
          className={`flex min-h-0 min-w-0 flex-col @min-[640px]:border-r ${file ? "w-56 shrink-0 @max-[640px]:hidden" : "flex-1"}`}
        >
          <div className="flex h-9 shrink-0 items-center gap-0.5 px-1.5" role="toolbar" aria-label="Files">
            <Tool
              label="New file"
              Icon={FilePlus}
              disabled={!canChange}
              onClick={() => setTask({ kind: "new-file", folder })}
            />
            <Tool
              label="New folder"
              Icon={FolderPlus}
              disabled={!canChange}
              onClick={() => setTask({ kind: "new-folder", folder })}
            />
            <Tool
              label="Rename"
              Icon={Pencil}
              disabled={!canChange || selected === null}
              onClick={() => selected && setTask({ kind: "rename", path: selected })}
            />
            <Tool
              label="Delete"
              Icon={Trash2}
              disabled={!canChange || selected === null}
              onClick={() =>
                selected && setTask({ kind: "delete", path: selected, folder: isFolder(selected) })
              }
            />
            <span className="flex-1" />
            <Tool label="Read again" Icon={RefreshCw} onClick={() => void readAgain()} />
          </div>
          <FileTree
            sessionId={session.id}
            open={openFolders}
            onOpen={onOpenFolder}
            selected={selected}
            onSelect={setSelected}
            onFile={show}
            drafts={drafts}
          />
        </div>
        {file !== null && (
          <ErrorBoundary key={file}>
            <Suspense fallback={<p className="flex-1 p-4 text-sm text-faint">Opening …</p>}>
              <FileEditor
                sessionId={session.id}
                path={file}
                access={access}
                asked={asked}
                onDraft={() => setDrafts(draftPaths(session.id))}
                onClose={() => show(null)}
              />
            </Suspense>
          </ErrorBoundary>
        )}
      </div>
      {task && (
        <EntryDialog
          sessionId={session.id}
          task={task}
          takeOver={access.takeOver}
          onDone={onDone}
          onClose={() => setTask(null)}
        />
      )}
    </div>
  );
}

function Tool({
  label,
  Icon,
  ...button
}: {
  label: string;
  Icon: typeof FilePlus;
  disabled?: boolean;
  onClick(): void;
}) {
  return (
    <Button kind="quiet" size="icon" aria-label={label} title={label} {...button}>
      <Icon size={14} aria-hidden />
    </Button>
  );
}
