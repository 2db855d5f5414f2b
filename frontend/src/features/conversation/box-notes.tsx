import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dronesQuery } from "../../api/queries";

const LONGEST_PROMPT = 200_000;

/** What is said of a prompt that cannot be sent because of its length; null when it is short enough. */
export function tooLongWords(prompt: string): string | null {
  if (prompt.length <= LONGEST_PROMPT) return null;
  return `A prompt has at most ${LONGEST_PROMPT.toLocaleString()} characters; this one has ${prompt.length.toLocaleString()}.`;
}

/** What stands above the prompt box when something is the matter. */
export function BoxNotes({
  failure,
  tooLong,
  noFiles,
  waits,
}: {
  failure: Error | null;
  tooLong: string | null;
  /** Somebody has just tried to give it an image or a file. */
  noFiles: boolean;
  waits: boolean;
}) {
  const drones = useQuery(dronesQuery);
  const away =
    drones.data && !drones.data.some((drone) => drone.status === "available" || drone.status === "busy");
  const text = failure?.message ?? tooLong;
  return (
    <div className="px-2 pb-1.5 text-xs" aria-live="polite">
      {text && <p className="text-bad">{text}</p>}
      {noFiles && <p className="text-warn">Images cannot be sent, nor other files: only text.</p>}
      {!text && waits && <p className="text-faint">Kept for when this turn has ended.</p>}
      {away && (
        <p className="text-warn">
          No drone is connected, so nobody can work.{" "}
          <Link
            to="/settings/$section"
            params={{ section: "drones" }}
            className="underline underline-offset-2"
          >
            Connect one
          </Link>
        </p>
      )}
    </div>
  );
}
