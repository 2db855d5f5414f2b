// What a new session takes along from the latest one of its project: what was allowed there, limited, and how tools run.
import type { CreateSession, Limits, SessionView } from "../../protocol/messages.gen";

type Along = Pick<CreateSession, "rules" | "limits" | "toolQueue">;

/** What a session has when nobody says anything: of these nothing is to be taken along. */
const STANDARD_LIMITS: Limits = { maxRounds: 60, maxSeconds: 3600, maxEqualCalls: 4 };
const STANDARD_QUEUE = "parallel";

/** The latest session of a project, also one that is put away. */
export function latestOf(sessions: readonly SessionView[], projectId: string): SessionView | undefined {
  return sessions
    .filter((session) => session.projectId === projectId)
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
}

/** What there is of it to take along, and in words; null when it is as every session begins. */
export function alongFrom(session: SessionView | undefined): { words: string; along: Along } | null {
  if (!session) return null;
  const { rules, limits, toolQueue } = session;
  const along: Along = {};
  const words: string[] = [];
  if (rules.length > 0) {
    along.rules = rules;
    words.push(rules.length === 1 ? "1 rule" : `${rules.length} rules`);
  }
  if (!sameLimits(limits, STANDARD_LIMITS)) {
    along.limits = limits;
    words.push("the limits");
  }
  if (toolQueue !== STANDARD_QUEUE) {
    along.toolQueue = toolQueue;
    words.push("tools one after the other");
  }
  if (words.length === 0) return null;
  const last = words.pop();
  return { words: words.length > 0 ? `${words.join(", ")} and ${last}` : String(last), along };
}

function sameLimits(one: Limits, other: Limits): boolean {
  const keys = [...Object.keys(one), ...Object.keys(other)] as (keyof Limits)[];
  return keys.every((key) => (one[key] ?? null) === (other[key] ?? null));
}
