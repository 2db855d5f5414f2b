// What of the past is looked at over the page: a turn's replay, its figures, or those of a session.
import { create } from "zustand";

export type LookBack =
  | { what: "replay"; turnId: string }
  | { what: "turn-figures"; turnId: string }
  | { what: "session-figures"; sessionId: string };

export const useLookBack = create<{
  shown: LookBack | null;
  show(shown: LookBack): void;
  close(): void;
}>((set) => ({
  shown: null,
  show: (shown) => set({ shown }),
  close: () => set({ shown: null }),
}));
