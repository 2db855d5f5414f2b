// What was asked for in a session before it only read; kept by the browser.
import { useEffect, useRef } from "react";
import type { ApprovalPolicy } from "../../protocol/messages.gen";
import { POLICY_WORDS } from "../new-session/efforts";

const STANDARD: ApprovalPolicy = "auto_edit";
const nameOf = (sessionId: string) => `gadget.policy.${sessionId}`;

export function policyBefore(sessionId: string): ApprovalPolicy {
  try {
    const kept = localStorage.getItem(nameOf(sessionId));
    return kept && kept in POLICY_WORDS && kept !== "read_only" ? (kept as ApprovalPolicy) : STANDARD;
  } catch {
    return STANDARD;
  }
}

/** Keeps what was asked for when this session is made to only read, until it does more again. */
export function useKeepPolicy(sessionId: string, policy: ApprovalPolicy): void {
  const before = useRef<ApprovalPolicy>(policy);
  useEffect(() => {
    try {
      if (policy !== "read_only") localStorage.removeItem(nameOf(sessionId));
      else if (before.current !== policy) localStorage.setItem(nameOf(sessionId), before.current);
    } catch {
      // Then the standard is offered.
    }
    before.current = policy;
  }, [sessionId, policy]);
}
