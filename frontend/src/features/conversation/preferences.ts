// How this person likes conversations shown.
import { create } from "zustand";

const KEY = "gadget.thinking";

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === "open";
  } catch {
    return false;
  }
}

export const useThinkingOpen = create<{ open: boolean; choose(open: boolean): void }>((set) => ({
  open: stored(),
  choose(open) {
    try {
      localStorage.setItem(KEY, open ? "open" : "closed");
    } catch {
      // Kept for this page only.
    }
    set({ open });
  },
}));
