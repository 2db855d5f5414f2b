// What the entries of the audit log are called.
import type { AuditKind } from "../../protocol/messages.gen";

export const AUDIT_WORDS: Record<AuditKind, string> = {
  signed_in: "Signed in",
  signed_out: "Signed out",
  sign_in_refused: "Sign-in refused",
  user_created: "User created",
  user_changed: "User changed",
  provider_created: "Provider created",
  provider_changed: "Provider changed",
  provider_deleted: "Provider deleted",
  exam_started: "Model examined",
  token_created: "Access token created",
  token_revoked: "Access token revoked",
  enrolment_code_made: "Enrolment code created",
  enrolment_refused: "Enrolment refused",
  drone_enrolled: "Drone enrolled",
  drone_revoked: "Drone revoked",
  terminal_opened: "Terminal opened",
  terminal_closed: "Terminal closed",
  process_stopped: "Background process stopped",
  approval_decided: "Approval decided",
  policy_changed: "Approvals of a session changed",
};
