import { expect, it } from "vitest";
import type { SessionView } from "../../protocol/messages.gen";
import { aSession } from "../session-list/a-session";
import { alongFrom, latestOf } from "./take-along";

const STANDARD = { maxRounds: 60, maxSeconds: 3600, maxEqualCalls: 4 };
const session = (more: Partial<SessionView>) =>
  ({ ...aSession(), limits: STANDARD, rules: [], ...more }) as SessionView;
const RULE = { action: "allow", command: "mvn test *" } as never;

it("takes the latest session of the project, whichever was used last", () => {
  const sessions = [
    session({ id: "a", projectId: "p", createdAt: "2026-01-01T00:00:00Z" }),
    session({ id: "b", projectId: "p", createdAt: "2026-01-03T00:00:00Z" }),
    session({ id: "c", projectId: "q", createdAt: "2026-01-04T00:00:00Z" }),
  ];
  expect(latestOf(sessions, "p")?.id).toBe("b");
  expect(latestOf(sessions, "none")).toBeUndefined();
});

it("says what there is to take along, and nothing where a session is as it began", () => {
  expect(alongFrom(undefined)).toBeNull();
  expect(alongFrom(session({}))).toBeNull();
  expect(alongFrom(session({ rules: [RULE] }))).toEqual({ words: "1 rule", along: { rules: [RULE] } });
  const limits = { ...STANDARD, maxCost: 2 };
  expect(alongFrom(session({ rules: [RULE, RULE], limits }))).toEqual({
    words: "2 rules and the limits",
    along: { rules: [RULE, RULE], limits },
  });
  expect(alongFrom(session({ limits: {}, toolQueue: "sequential" }))).toEqual({
    words: "the limits and tools one after the other",
    along: { limits: {}, toolQueue: "sequential" },
  });
});
