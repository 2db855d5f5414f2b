import { useQuery } from "@tanstack/react-query";
import type { DroneView } from "../protocol/messages.gen";
import { dronesQuery } from "./queries";

/** The drone that has this workspace, connected or not; undefined before it is known, and where there is none. */
export function useDroneOf(workspaceId: string | null | undefined): DroneView | undefined {
  return useQuery({
    ...dronesQuery,
    select: (drones) => (workspaceId ? drones.find((one) => one.workspaceId === workspaceId) : undefined),
  }).data;
}
