// The files of a session's workspace: what the page asks of them, and what it changes.
import { queryOptions } from "@tanstack/react-query";
import type {
  ChangesView,
  CommitChanges,
  CommitView,
  CreateEntry,
  DiffView,
  FileProblem,
  FileView,
  FolderView,
  GitStatus,
  RenameEntry,
  SaveFile,
  WorkspaceMode,
  WorkspaceView,
} from "../protocol/messages.gen";
import { call, ProblemError } from "./http";

/** Before all that is known of any workspace. */
export const WORKSPACES = ["workspace"] as const;

/** Before all that is known of a session's workspace: what the agent did may have changed any of it. */
export const workspaceKey = (sessionId: string) => [...WORKSPACES, sessionId] as const;

const at = (sessionId: string, what: string, path?: string) =>
  `/sessions/${sessionId}/${what}${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`;

export const folderQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "folder", path],
    queryFn: ({ signal }) => call<FolderView>(at(sessionId, "files", path), { signal }),
  });

export const fileQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "file", path],
    queryFn: ({ signal }) => call<FileView>(at(sessionId, "file", path), { signal }),
  });

export const changesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "changes"],
    queryFn: ({ signal }) => call<ChangesView>(at(sessionId, "changes"), { signal }),
  });

export const diffQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "diff", path],
    queryFn: ({ signal }) => call<DiffView>(at(sessionId, "changes/diff", path), { signal }),
  });

export const saveFile = (sessionId: string, path: string, body: SaveFile) =>
  call<FileView>(at(sessionId, "file", path), { method: "PUT", body });

export const createEntry = (sessionId: string, path: string, body: CreateEntry) =>
  call<FileView | undefined>(at(sessionId, "file", path), { method: "POST", body });

export const renameEntry = (sessionId: string, path: string, body: RenameEntry) =>
  call<void>(at(sessionId, "file", path), { method: "PATCH", body });

export const deleteEntry = (sessionId: string, path: string) =>
  call<void>(at(sessionId, "file", path), { method: "DELETE" });

export const commitChanges = (sessionId: string, body: CommitChanges) =>
  call<CommitView>(at(sessionId, "changes/commit"), { method: "POST", body });

export const changeMode = (sessionId: string, mode: Exclude<WorkspaceMode, "agent">) =>
  call<WorkspaceView>(at(sessionId, "workspace"), { method: "PUT", body: { mode } });

/** The file as it is instead, when that is why a change was refused; null when it is gone, undefined when it was something else. */
export function conflictOf(error: unknown): FileView | null | undefined {
  if (!(error instanceof ProblemError) || error.code !== "changed_meanwhile") return undefined;
  return (error.problem as FileProblem | undefined)?.current ?? null;
}

export const STATUS_WORDS: Record<GitStatus, string> = {
  M: "changed",
  A: "added",
  D: "deleted",
  U: "in conflict",
  "?": "new, not known to git",
};
