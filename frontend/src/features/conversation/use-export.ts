import { useQueryClient } from "@tanstack/react-query";
import { sessionQuery } from "../../api/queries";
import type { ExportForm } from "./export";

/** Reads a session as it is now, and hands it to the browser as a file. */
export function useExport(): (sessionId: string, form: ExportForm) => Promise<void> {
  const client = useQueryClient();
  return async (sessionId, form) => {
    const { exportSession } = await import("./export");
    exportSession(await client.fetchQuery({ ...sessionQuery(sessionId), staleTime: 0 }), form);
  };
}
