import { createContext, use } from "react";

export interface Resend {
  /** Sends these words as a new turn, and tells what became of it as long as this session is open. */
  send(prompt: string, told?: { onSuccess?(): void; onSettled?(): void }): void;
  /** Whether a prompt can be sent now; it may have to wait for its turn. */
  canSend: boolean;
}

/** How an earlier prompt is sent again; turns do not change with it, so that they are not drawn again. */
export const ResendContext = createContext<Resend>({ send() {}, canSend: false });

export function useResend(): Resend {
  return use(ResendContext);
}
