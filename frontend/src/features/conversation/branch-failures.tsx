import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { Notice } from "../../ui/notice";
import { forgetBranchFailure, useBranchFailures } from "./branch";

/** Branches that could not be made, as long as the form that says so is not on the page. */
export function BranchFailures() {
  const failures = useBranchFailures();
  return Object.entries(failures)
    .filter(([, failure]) => !failure.told)
    .map(([turnId, { sessionId, why }]) => (
      <div key={turnId} className="px-4 pt-2">
        <Notice
          tone="bad"
          action={
            <button
              type="button"
              aria-label="Dismiss"
              title="Dismiss"
              onClick={() => forgetBranchFailure(turnId)}
              className="rounded p-0.5 hover:bg-sunken"
            >
              <X size={14} aria-hidden />
            </button>
          }
        >
          The branch was not made. {why} Your words are kept at the prompt that you edited, in{" "}
          <Link to="/sessions/$sessionId" params={{ sessionId }} className="underline underline-offset-4">
            its session
          </Link>
          .
        </Notice>
      </div>
    ));
}
