import { useQuery } from "@tanstack/react-query";
import { useDroneOf } from "../../api/drones";
import { processesQuery } from "../../api/processes";
import type { SessionDetail } from "../../protocol/messages.gen";

/** What runs in the background of the session; asked of its drone while that is there. */
export function useProcesses(session: SessionDetail) {
  const drone = useDroneOf(session.workspaceId);
  const there = !!session.workspaceId && !!drone && drone.status !== "offline";
  const query = useQuery({ ...processesQuery(session.id, !!session.runningTurnId), enabled: there });
  return { ...query, there };
}
