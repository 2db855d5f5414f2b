import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronRight, Command, Plus, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { MOST_LISTED, projectsQuery, sessionsQuery } from "../../api/queries";
import { useShell } from "../../app/shell-context";
import { keysOf } from "../../app/shortcuts";
import { Button } from "../../ui/button";
import { composes } from "../../ui/composing";
import { type Group, listed } from "./groups";
import { useRenaming } from "./renaming";
import { SessionRow } from "./session-row";

/** All sessions: found by a search, pinned ones first, those put away on demand. */
export function SessionList() {
  const projects = useQuery(projectsQuery);
  const sessions = useQuery(sessionsQuery);
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const [archiveOpen, setArchiveOpen] = useState(false);
  const { groups, archived } = listed(projects.data ?? [], sessions.data ?? [], query);
  const first = groups[0]?.sessions[0] ?? archived[0];

  // Who renames one of them has to see it.
  const renaming = useRenaming((state) => state.id);
  const hidden = archived.some((session) => session.id === renaming);
  useEffect(() => {
    if (hidden) setArchiveOpen(true);
  }, [hidden]);

  function onKeyDown(event: KeyboardEvent) {
    if (composes(event.nativeEvent)) return;
    if (event.key === "ArrowDown") document.querySelector<HTMLElement>("[data-session-link]")?.focus();
    else if (event.key === "Enter" && first)
      void navigate({ to: "/sessions/$sessionId", params: { sessionId: first.id } });
    else if (event.key === "Escape" && query) setQuery("");
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <SearchBox query={query} onChange={setQuery} onKeyDown={onKeyDown} />
      <div data-testid="session-list" className="thin-scroll min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {sessions.error && <p className="px-2 py-3 text-sm text-bad">{sessions.error.message}</p>}
        {sessions.isPending && <p className="px-2 py-3 text-sm text-faint">Reading the sessions …</p>}
        {sessions.data?.length === 0 && (
          <p className="px-2 py-3 text-sm text-faint">
            No sessions yet. The first begins with “New session”.
          </p>
        )}
        {groups.map((group) => (
          <SessionGroup key={group.id} group={group} />
        ))}
        {query && groups.length === 0 && (
          <p role="status" className="px-2 py-3 text-sm text-faint">
            No session is called so{archived.length > 0 ? ", but in the archive one is" : ""}.
          </p>
        )}
        {sessions.data && sessions.data.length >= MOST_LISTED && (
          <p className="px-2 py-3 text-sm text-faint">
            More than {MOST_LISTED.toLocaleString()} sessions are not listed. Delete those that nobody needs.
          </p>
        )}
        {archived.length > 0 && (
          <section className="mt-4 border-t pt-2">
            <button
              type="button"
              data-testid="archive-toggle"
              aria-expanded={archiveOpen}
              onClick={() => setArchiveOpen(!archiveOpen)}
              className="flex h-7 w-full items-center gap-1.5 rounded-md px-2 text-2xs font-medium text-faint hover:bg-sunken hover:text-ink"
            >
              <ChevronRight
                size={12}
                aria-hidden
                className={`transition-transform ${archiveOpen ? "rotate-90" : ""}`}
              />
              Archive ({archived.length})
            </button>
            {archiveOpen && (
              <ul className="mt-0.5" aria-label="Archive">
                {archived.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
    </>
  );
}

function SearchBox({
  query,
  onChange,
  onKeyDown,
}: {
  query: string;
  onChange(query: string): void;
  onKeyDown(event: KeyboardEvent): void;
}) {
  const { palette } = useShell();
  const keys = keysOf("palette").join(" ");
  return (
    <search className="flex shrink-0 items-center gap-1 px-2 pb-1">
      <div className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md border bg-raised pr-1 pl-2 focus-within:border-accent">
        <Search size={14} aria-hidden className="shrink-0 text-faint" />
        <input
          id="find-session"
          aria-label="Search sessions"
          placeholder="Search sessions"
          dir="auto"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-sm outline-none"
        />
        {query && (
          <button
            type="button"
            aria-label="Clear the search"
            onClick={() => onChange("")}
            className="grid size-6 place-items-center rounded text-faint hover:bg-sunken hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        )}
      </div>
      <Button
        kind="quiet"
        size="icon"
        data-testid="open-palette"
        aria-label="Find a session or a command"
        title={`Find a session or a command (${keys})`}
        onClick={palette}
      >
        <Command size={15} aria-hidden />
      </Button>
    </search>
  );
}

function SessionGroup({ group }: { group: Group }) {
  const { newSession } = useShell();
  return (
    <section className="mt-3" aria-label={group.title}>
      <div className="group flex items-center px-2">
        <h2
          className="min-w-0 flex-1 truncate text-left text-2xs font-medium text-faint"
          title={group.title}
          dir="auto"
        >
          {group.title}
        </h2>
        {group.projectId && (
          <button
            type="button"
            aria-label={`New session in ${group.title}`}
            onClick={() => newSession(group.projectId)}
            className="rounded p-0.5 text-faint opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
          >
            <Plus size={13} aria-hidden />
          </button>
        )}
      </div>
      <ul className="mt-0.5">
        {group.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </section>
  );
}
