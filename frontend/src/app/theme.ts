// Light, dark, or as the system has it.
import { create } from "zustand";

export type Theme = "system" | "light" | "dark";

const KEY = "gadget.theme";
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

function show(theme: Theme): void {
  const dark = theme === "dark" || (theme === "system" && systemDark.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

export const useTheme = create<{ theme: Theme; choose(theme: Theme): void }>((set) => ({
  theme: stored(),
  choose(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Kept for this page only.
    }
    set({ theme });
    show(theme);
  },
}));

export function startTheme(): void {
  show(useTheme.getState().theme);
  systemDark.addEventListener("change", () => show(useTheme.getState().theme));
}
