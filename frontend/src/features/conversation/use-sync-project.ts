import { useMutation, useQueryClient } from "@tanstack/react-query";
import { workspaceKey } from "../../api/files";
import { sessionProjectQuery, syncProject } from "../../api/project";

/** Brings the session's project up to date; how it is then, and what changed with it, is shown wherever it is shown. */
export function useSyncProject(sessionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => syncProject(sessionId),
    onSuccess: (answer) => {
      client.setQueryData(sessionProjectQuery(sessionId).queryKey, answer);
      void client.invalidateQueries({ queryKey: workspaceKey(sessionId) });
    },
  });
}
