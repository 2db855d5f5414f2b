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
  FoundView,
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

/** How long a person has to stop typing before it is asked. */
const FIND_AFTER_MILLIS = 120;

/** A drone looks for one at a time; what was asked meanwhile is answered empty, and asked again as long as one may take. */
const FIND_AGAIN_MILLIS = 2000;
const MOST_FINDS = 4;

/** Files by a part of their name; one that is not wanted any more before it was asked is not asked. */
export const foundQuery = (sessionId: string, path: string, name: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "found", path, name],
    queryFn: async ({ signal }) => {
      await new Promise((over) => setTimeout(over, FIND_AFTER_MILLIS));
      signal.throwIfAborted();
      return call<FoundView>(`${at(sessionId, "files/found", path)}&name=${encodeURIComponent(name)}`, {
        signal,
      });
    },
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && !data.complete && data.paths.length === 0 && dataUpdateCount < MOST_FINDS
        ? FIND_AGAIN_MILLIS
        : false,
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
