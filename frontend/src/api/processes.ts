// What an agent left running in the background of a session.
import { queryOptions } from "@tanstack/react-query";
import type { BackgroundProcess, Page, ProcessOutput } from "../protocol/messages.gen";
import { workspaceKey } from "./files";
import { call } from "./http";

const LOOK_MILLIS = 4_000;
const OUTPUT_LOOK_MILLIS = 2_000;

const at = (sessionId: string) => `/sessions/${sessionId}/processes`;

/** Asked again while something runs, or may be started; a drone that cannot tell is not asked again and again. */
export const processesQuery = (sessionId: string, works: boolean) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "processes"],
    queryFn: async ({ signal }) => (await call<Page<BackgroundProcess>>(at(sessionId), { signal })).items,
    retry: false,
    refetchInterval: (query) =>
      !query.state.error && (works || query.state.data?.some(runs)) ? LOOK_MILLIS : false,
  });

/** Read again while somebody looks and more may come. */
export const processOutputQuery = (sessionId: string, process: BackgroundProcess) =>
  queryOptions({
    // What came last of one that ended is read anew.
    queryKey: [...workspaceKey(sessionId), "process-output", process.id, process.status],
    queryFn: ({ signal }) => call<ProcessOutput>(`${at(sessionId)}/${process.id}/output`, { signal }),
    retry: false,
    staleTime: 0,
    refetchInterval: (query) => (runs(process) && !query.state.error ? OUTPUT_LOOK_MILLIS : false),
  });

export const stopProcess = (sessionId: string, process: string) =>
  call<BackgroundProcess>(`${at(sessionId)}/${process}/stop`, { method: "POST" });

export function runs(process: BackgroundProcess): boolean {
  return process.status === "running";
}
