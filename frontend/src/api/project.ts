// The project of a session as its drone sees it: what is checked out, and how far it is from where it came from.
import { queryOptions } from "@tanstack/react-query";
import type { SessionProject } from "../protocol/messages.gen";
import { workspaceKey } from "./files";
import { call } from "./http";

const SYNC_LOOK_MILLIS = 2000;

/** Asked again for as long as a sync goes on. */
export const sessionProjectQuery = (sessionId: string) =>
  queryOptions({
    queryKey: [...workspaceKey(sessionId), "project"],
    queryFn: ({ signal }) => call<SessionProject>(`/sessions/${sessionId}/project`, { signal }),
    retry: false,
    refetchInterval: (query) =>
      query.state.data?.state.syncing && !query.state.error ? SYNC_LOOK_MILLIS : false,
  });

export const syncProject = (sessionId: string) =>
  call<SessionProject>(`/sessions/${sessionId}/project/sync`, { method: "POST" });
