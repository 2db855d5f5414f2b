import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { dronesQuery } from "../api/queries";
import type { DroneStatus, DroneView } from "../protocol/messages.gen";
import { StatusDot, type Tone } from "../ui/status-dot";

export const DRONE_TONES: Record<DroneStatus, Tone> = {
  available: "good",
  busy: "busy",
  starting: "waiting",
  offline: "idle",
};

const ORDER: DroneStatus[] = ["busy", "available", "starting", "offline"];

function summary(drones: DroneView[]): { status: DroneStatus; words: string } {
  if (drones.length === 0) return { status: "offline", words: "No drone yet: connect one" };
  const status = ORDER.find((one) => drones.some((drone) => drone.status === one)) ?? "offline";
  const first = drones.find((drone) => drone.status === status);
  const name =
    drones.length === 1
      ? (first?.name ?? "Drone")
      : `${drones.filter((d) => d.status !== "offline").length} of ${drones.length} drones`;
  return {
    status,
    words: `${name} ${drones.length === 1 ? status : status === "offline" ? "connected" : `connected, ${status}`}`,
  };
}

/** Whether somebody is there to work. */
export function DroneStatusLine() {
  const drones = useQuery(dronesQuery);
  const { status, words } = summary(drones.data ?? []);
  return (
    <Link
      to="/settings/$section"
      params={{ section: "drones" }}
      data-testid="drone-status"
      data-status={status}
      className="flex h-10 shrink-0 items-center gap-2 border-t px-3 text-xs text-soft hover:bg-sunken"
    >
      <StatusDot tone={drones.data?.length === 0 ? "waiting" : DRONE_TONES[status]} />
      <span className="truncate" role="status">
        {drones.isPending ? "Looking for drones …" : words}
      </span>
    </Link>
  );
}
