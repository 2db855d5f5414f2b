// A session for tests.
import type { SessionView } from "../../protocol/messages.gen";

export function aSession(part: Partial<SessionView> = {}): SessionView {
  return {
    id: "s1",
    projectId: "p1",
    name: "A session",
    providerId: "v1",
    model: "demo",
    reasoningEffort: "off",
    limits: {},
    approvalPolicy: "auto",
    rules: [],
    whenBusy: "queue",
    toolQueue: "parallel",
    worktree: false,
    pinned: false,
    archived: false,
    createdAt: "2026-11-17T10:00:00Z",
    updatedAt: "2026-11-17T10:00:00Z",
    ...part,
  };
}
