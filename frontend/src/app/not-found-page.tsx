import { Link } from "@tanstack/react-router";
import { EmptyState } from "../ui/empty-state";

export function NotFoundPage() {
  return (
    <EmptyState
      title="Nothing lives at this address"
      action={
        <Link to="/" className="text-accent underline underline-offset-4">
          Go to the start
        </Link>
      }
    >
      The link may be mistyped, or what it showed was deleted.
    </EmptyState>
  );
}
