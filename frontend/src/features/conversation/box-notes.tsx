import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dronesQuery } from "../../api/queries";

export const LONGEST_PROMPT = 200_000;

/** What stands above the prompt box when something is the matter. */
export function BoxNotes({
  failure,
  tooLong,
  waits,
}: {
  failure: Error | null;
  tooLong: number | null;
  waits: boolean;
}) {
  const drones = useQuery(dronesQuery);
  const away =
    drones.data && !drones.data.some((drone) => drone.status === "available" || drone.status === "busy");
  const text = failure
    ? failure.message
    : tooLong !== null
      ? `A prompt has at most ${LONGEST_PROMPT.toLocaleString()} characters; this one has ${tooLong.toLocaleString()}.`
      : null;
  return (
    <div className="px-2 pb-1.5 text-xs" aria-live="polite">
      {text && <p className="text-bad">{text}</p>}
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
