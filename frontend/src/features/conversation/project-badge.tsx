import { useQuery, useQueryClient } from "@tanstack/react-query";
import { GitBranch, RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { useDroneOf } from "../../api/drones";
import { messageOf } from "../../api/http";
import { sessionProjectQuery } from "../../api/project";
import type { SessionDetail } from "../../protocol/messages.gen";
import { standing, standingInFull } from "./project-words";
import { useSyncProject } from "./use-sync-project";

const NOTE_MILLIS = 12_000;

/** What is checked out of the session's project, and a button that brings it up to date. */
export function ProjectBadge({ session }: { session: SessionDetail }) {
  const client = useQueryClient();
  const drone = useDroneOf(session.workspaceId);
  const there = Boolean(session.workspaceId && drone && drone.status !== "offline");
  const works = drone?.workspaceMode === "agent";
  const project = useQuery({ ...sessionProjectQuery(session.id), enabled: there });
  const [note, setNote] = useState<{ text: string; bad: boolean } | null>(null);
  const sync = useSyncProject(session.id);
  const syncNow = () =>
    sync.mutate(undefined, {
      onSuccess: ({ state }) => state.note && setNote({ text: state.note, bad: false }),
      onError: (error) => setNote({ text: messageOf(error), bad: true }),
    });

  // A turn that began or ended may have changed all of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether the agent works is the reason to look again
  useEffect(() => {
    void client.invalidateQueries({ queryKey: sessionProjectQuery(session.id).queryKey });
  }, [client, session.id, works]);

  useEffect(() => {
    if (!note) return;
    const timer = setTimeout(() => setNote(null), NOTE_MILLIS);
    return () => clearTimeout(timer);
  }, [note]);

  if (!there || !project.data) return null;
  const { state, gitUrl } = project.data;
  if (!gitUrl && !state.branch) return null;
  const busy = sync.isPending || state.syncing;
  return (
    <span className="relative flex min-w-0 shrink-0 items-center gap-1 max-sm:hidden">
      <span
        data-testid="project-badge"
        data-cloned={state.cloned}
        title={standingInFull(state)}
        className="flex h-7 min-w-0 items-center gap-1.5 rounded-full bg-sunken px-2.5 text-2xs text-soft"
      >
        <GitBranch size={12} aria-hidden className="shrink-0" />
        <span className="max-w-48 truncate font-mono">{standing(state)}</span>
        <span className="sr-only">{standingInFull(state)}</span>
      </span>
      {gitUrl && state.cloned && (
        <button
          type="button"
          onClick={syncNow}
          disabled={busy || works}
          aria-label="Sync the project"
          title={works ? "The agent works here; sync when its turn is over" : "Fetch what is new"}
          data-testid="project-sync"
          className="flex size-7 items-center justify-center rounded-full text-soft hover:bg-sunken disabled:opacity-50"
        >
          <RefreshCw size={12} aria-hidden className={busy ? "animate-spin" : ""} />
        </button>
      )}
      <span role="status" data-testid="project-note">
        {note && (
          <span
            className={`absolute top-full left-0 z-20 mt-1 w-72 rounded-lg border bg-raised p-2 text-xs break-words whitespace-pre-line shadow-lg ${note.bad ? "text-bad" : "text-soft"}`}
          >
            {note.text}
          </span>
        )}
      </span>
    </span>
  );
}
