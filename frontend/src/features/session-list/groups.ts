// The list of sessions: what stands in it, in which order, and how each of them is.
import type { ProjectView, SessionView } from "../../protocol/messages.gen";
import { fuzzy } from "../palette/fuzzy";

export interface Group {
  id: string;
  title: string;
  /** Of a project: where a new session would begin. */
  projectId?: string;
  sessions: SessionView[];
}

export interface Listed {
  groups: Group[];
  /** Those that were put away and fit, the latest first. */
  archived: SessionView[];
}

/** What was pinned first, then by project, in each what happened last in front. */
export function listed(
  projects: readonly ProjectView[],
  sessions: readonly SessionView[],
  query = "",
): Listed {
  const names = new Map(projects.map((project) => [project.id, project.name]));
  const fits = (session: SessionView) =>
    fuzzy(query, `${session.name} ${names.get(session.projectId) ?? ""}`) !== null;
  const latest = [...sessions].filter(fits).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  const shown = latest.filter((session) => !session.archived);
  const pinned = shown.filter((session) => session.pinned);
  const groups = new Map<string, Group>();
  for (const session of shown) {
    if (session.pinned) continue;
    const { projectId } = session;
    const group = groups.get(projectId) ?? {
      id: projectId,
      title: names.get(projectId) ?? "Another project",
      projectId,
      sessions: [],
    };
    group.sessions.push(session);
    groups.set(projectId, group);
  }
  return {
    groups: [
      ...(pinned.length > 0 ? [{ id: "pinned", title: "Pinned", sessions: pinned }] : []),
      ...groups.values(),
    ],
    archived: latest.filter((session) => session.archived),
  };
}

export type SessionState = "running" | "waiting" | "failed" | "idle";

export function stateOf(session: SessionView): SessionState {
  if (session.runningTurnId) return session.turnStatus === "awaiting_approval" ? "waiting" : "running";
  return session.turnStatus === "failed" || session.turnStatus === "interrupted" ? "failed" : "idle";
}

export interface Elsewhere {
  count: number;
  /** Whether one of them waits for somebody. */
  waits: boolean;
  words: string;
}

/** What goes on in other sessions than the open one; null when nothing does. */
export function elsewhere(sessions: readonly SessionView[], openId: string | undefined): Elsewhere | null {
  const states = sessions.filter((session) => session.id !== openId).map(stateOf);
  const count = (state: SessionState) => states.filter((one) => one === state).length;
  const [runs, waits] = [count("running"), count("waiting")];
  if (runs + waits === 0) return null;
  const words = [
    ...(runs > 0 ? [`${runs} ${runs === 1 ? "runs" : "run"}`] : []),
    ...(waits > 0 ? [`${waits} ${waits === 1 ? "waits" : "wait"} for you`] : []),
  ];
  return { count: runs + waits, waits: waits > 0, words: words.join(", ") };
}
