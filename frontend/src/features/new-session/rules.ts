// Rules of a session as lines that a person writes: `allow command npm test *`.
import type { ApprovalRule } from "../../protocol/messages.gen";

const ACTIONS = ["allow", "ask", "deny"] as const;
const KINDS = ["tool", "path", "command"] as const;

/** The rules in lines, or what is wrong with the first line that is none. */
export function readRules(text: string): { rules: ApprovalRule[] } | { wrong: string } {
  const rules: ApprovalRule[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [action, kind, ...rest] = line.trim().split(/\s+/);
    const value = rest.join(" ");
    const isAction = ACTIONS.find((known) => known === action);
    const isKind = KINDS.find((known) => known === kind);
    if (!isAction || !isKind || value === "") {
      return {
        wrong: `Line ${index + 1} is not a rule. Write allow, ask or deny, then tool, path or command, then what: for example “deny command git push *”.`,
      };
    }
    rules.push({ action: isAction, [isKind]: value });
  }
  return { rules };
}

/** The lines of rules; one that says several things at once keeps all of them. */
export function writeRules(rules: readonly ApprovalRule[]): string {
  return rules
    .map((rule) => {
      const [kind, value] = rule.command
        ? ["command", rule.command]
        : rule.path
          ? ["path", rule.path]
          : ["tool", rule.tool ?? "*"];
      return `${rule.action} ${kind} ${value}`;
    })
    .join("\n");
}
