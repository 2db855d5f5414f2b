// How this person likes differences shown.
import { create } from "zustand";

const KEY = "gadget.diff";

export type DiffStyle = "inline" | "side";

function stored(): DiffStyle {
  try {
    return localStorage.getItem(KEY) === "side" ? "side" : "inline";
  } catch {
    return "inline";
  }
}

export const useDiffStyle = create<{ style: DiffStyle; choose(style: DiffStyle): void }>((set) => ({
  style: stored(),
  choose(style) {
    try {
      localStorage.setItem(KEY, style);
    } catch {
      // Kept for this page only.
    }
    set({ style });
  },
}));
