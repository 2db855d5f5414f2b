import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Keyboard, LogOut, Monitor, Moon, Plus, Search, Settings, Sun } from "lucide-react";
import { projectsQuery, sessionsQuery } from "../api/queries";
import type { ProjectView, SessionView } from "../protocol/messages.gen";
import { Button } from "../ui/button";
import { Keys } from "../ui/keys";
import { Logo } from "../ui/logo";
import { StatusDot } from "../ui/status-dot";
import { DroneStatusLine } from "./drone-status-line";
import { useMe, useShell } from "./shell-context";
import { keysOf } from "./shortcuts";
import { useSignOut } from "./sign-out";
import { type Theme, useTheme } from "./theme";

export function Sidebar({ open }: { open: boolean }) {
  const { newSession } = useShell();
  return (
    <nav
      aria-label="Projects and sessions"
      className={`z-40 flex w-68 shrink-0 flex-col border-r bg-side max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:shadow-dialog max-md:transition-[translate,visibility] max-md:duration-150 ${open ? "" : "max-md:invisible max-md:-translate-x-full"}`}
    >
      <div className="flex h-12 shrink-0 items-center gap-2.5 px-3">
        <Link
          to="/"
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md font-semibold tracking-tight"
        >
          <Logo size={24} />
          Gadget
        </Link>
        <Button size="small" data-testid="new-session" onClick={() => newSession()}>
          <Plus size={14} aria-hidden />
          New session
        </Button>
      </div>
      <FindEverything />
      <SessionList />
      <DroneStatusLine />
      <AccountLine />
    </nav>
  );
}

/** The way to the palette for those who do not know its keys. */
function FindEverything() {
  const { palette, help } = useShell();
  return (
    <div className="flex shrink-0 items-center gap-1 px-2 pb-1">
      <button
        type="button"
        data-testid="open-palette"
        onClick={palette}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md border bg-raised px-2 text-left text-sm text-faint hover:border-line-strong"
      >
        <Search size={14} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">Find or do</span>
        <Keys keys={keysOf("palette")} />
      </button>
      <Button kind="quiet" size="icon" aria-label="Show the keys" title="Show the keys (?)" onClick={help}>
        <Keyboard size={15} aria-hidden />
      </Button>
    </div>
  );
}

function SessionList() {
  const projects = useQuery(projectsQuery);
  const sessions = useQuery(sessionsQuery);
  return (
    <div data-testid="session-list" className="thin-scroll min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      {sessions.error && <p className="px-2 py-3 text-sm text-bad">{sessions.error.message}</p>}
      {sessions.isPending && <p className="px-2 py-3 text-sm text-faint">Reading the sessions …</p>}
      {sessions.data?.length === 0 && (
        <p className="px-2 py-3 text-sm text-faint">No sessions yet. The first begins with “New session”.</p>
      )}
      {grouped(projects.data ?? [], sessions.data ?? []).map(({ project, own }) => (
        <ProjectGroup key={project.id} project={project} sessions={own} />
      ))}
    </div>
  );
}

interface Group {
  project: { id: string; name: string };
  own: SessionView[];
}

/** Projects with what happened last in front. */
function grouped(projects: ProjectView[], sessions: SessionView[]): Group[] {
  const groups = new Map<string, Group>(projects.map((project) => [project.id, { project, own: [] }]));
  for (const session of sessions) {
    const group = groups.get(session.projectId) ?? {
      project: { id: session.projectId, name: "Another project" },
      own: [],
    };
    group.own.push(session);
    groups.set(session.projectId, group);
  }
  const newest = (group: Group) => group.own[0]?.updatedAt ?? "";
  for (const group of groups.values()) group.own.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return [...groups.values()]
    .filter((group) => group.own.length > 0)
    .sort((a, b) => newest(b).localeCompare(newest(a)));
}

function ProjectGroup({ project, sessions }: { project: Group["project"]; sessions: SessionView[] }) {
  const { newSession } = useShell();
  return (
    <section className="mt-3" aria-label={project.name}>
      <div className="group flex items-center px-2">
        <h2 className="min-w-0 flex-1 truncate text-2xs font-medium text-faint" title={project.name}>
          {project.name}
        </h2>
        <button
          type="button"
          aria-label={`New session in ${project.name}`}
          onClick={() => newSession(project.id)}
          className="rounded p-0.5 text-faint opacity-0 hover:bg-sunken hover:text-ink focus-visible:opacity-100 group-hover:opacity-100"
        >
          <Plus size={13} aria-hidden />
        </button>
      </div>
      <ul className="mt-0.5">
        {sessions.map((session) => (
          <li key={session.id}>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: session.id }}
              data-session-link={session.id}
              className="flex h-8 items-center gap-2 rounded-md px-2 text-sm text-soft hover:bg-sunken"
              activeProps={{ className: "bg-sunken !text-ink font-medium", "aria-current": "page" }}
            >
              <span className="min-w-0 flex-1 truncate" title={session.name} dir="auto">
                {session.name}
              </span>
              {session.runningTurnId && (
                <>
                  <span className="sr-only">working</span>
                  <StatusDot tone="busy" />
                </>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NEXT_THEME: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const THEME_WORDS: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

function AccountLine() {
  const me = useMe();
  const signOut = useSignOut();
  const { theme, choose } = useTheme();
  const ThemeIcon = theme === "system" ? Monitor : theme === "light" ? Sun : Moon;

  return (
    <div className="flex h-12 shrink-0 items-center gap-0.5 border-t px-2">
      <span className="min-w-0 flex-1 truncate px-1 text-xs text-soft" title={me.email}>
        {me.name || me.email}
      </span>
      <Button
        kind="quiet"
        size="icon"
        aria-label={`Colours: ${THEME_WORDS[theme]}. Change`}
        title={`Colours: ${THEME_WORDS[theme]}`}
        onClick={() => choose(NEXT_THEME[theme])}
      >
        <ThemeIcon size={15} aria-hidden />
      </Button>
      <Link
        to="/settings/$section"
        params={{ section: "providers" }}
        aria-label="Settings"
        title="Settings"
        className="grid size-8 place-items-center rounded-md text-soft hover:bg-sunken hover:text-ink"
      >
        <Settings size={15} aria-hidden />
      </Link>
      <Button kind="quiet" size="icon" aria-label="Sign out" title="Sign out" onClick={() => void signOut()}>
        <LogOut size={15} aria-hidden />
      </Button>
    </div>
  );
}
