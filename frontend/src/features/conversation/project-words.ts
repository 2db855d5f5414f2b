import type { ProjectState } from "../../protocol/messages.gen";

/** How a project stands, in few words. */
export function standing(state: ProjectState): string {
  if (!state.cloned) return "not cloned yet";
  const where = state.branch ?? (state.directory.startsWith(".worktrees/") ? "own branch" : "no branch");
  const ahead = state.ahead ? ` ↑${state.ahead}` : "";
  const behind = state.behind ? ` ↓${state.behind}` : "";
  return `${where}${ahead}${behind}${state.dirty ? " •" : ""}`;
}

/** The same, said in full. */
export function standingInFull(state: ProjectState): string {
  if (!state.cloned) return "The project is cloned with the next prompt.";
  const parts = [`In ${state.directory === "." ? "the workspace itself" : state.directory}`];
  if (state.branch) parts.push(`on branch ${state.branch}`);
  if (state.upstream) {
    parts.push(`${state.ahead ?? 0} ahead of and ${state.behind ?? 0} behind ${state.upstream}`);
  }
  parts.push(state.dirty ? "with changes that are not committed" : "without changes");
  return `${parts.join(", ")}.`;
}
