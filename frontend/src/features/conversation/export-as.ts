import { call } from "../../api/http";
import type { SessionDetail } from "../../protocol/messages.gen";
import type { ExportForm } from "./export";

/** Reads a whole session as it is now, and hands it to the browser as a file. */
export async function exportAs(sessionId: string, form: ExportForm): Promise<void> {
  const [{ exportSession }, session] = await Promise.all([
    import("./export"),
    call<SessionDetail>(`/sessions/${sessionId}`),
  ]);
  exportSession(session, form);
}
