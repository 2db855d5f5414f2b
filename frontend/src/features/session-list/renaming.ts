import { create } from "zustand";

/** Which session is being renamed in the list, if any. */
export const useRenaming = create<{ id: string | null; rename(id: string): void; done(): void }>((set) => ({
  id: null,
  rename: (id) => set({ id }),
  done: () => set({ id: null }),
}));
