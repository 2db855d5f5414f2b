// Whether the side panel is open, how wide it is, and which of its tabs is shown; kept by the browser.
import { create } from "zustand";

const KEY = "gadget.panel";
export const NARROWEST = 300;
export const WIDEST_SHARE = 0.75;
const STANDARD_WIDTH = 460;
/** Below this the panel covers the whole page. */
export const narrow = window.matchMedia("(width < 900px)");

interface Stored {
  open: boolean;
  width: number;
  tab: string;
}

export interface PanelState extends Stored {
  /** A file that another tab wants to be shown in Files. */
  wanted: { path: string } | null;
  toggle(): void;
  resize(width: number): void;
  show(tab: string): void;
  openFile(path: string): void;
  taken(): void;
}

function stored(): Stored {
  const standard = { open: false, width: STANDARD_WIDTH, tab: "files" };
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Stored>;
    return {
      open: value.open === true && !narrow.matches,
      width: typeof value.width === "number" ? value.width : standard.width,
      tab: typeof value.tab === "string" ? value.tab : standard.tab,
    };
  } catch {
    return standard;
  }
}

export function within(width: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(width, window.innerWidth * WIDEST_SHARE)));
}

export const usePanel = create<PanelState>((set) => ({
  ...stored(),
  wanted: null,
  toggle: () => set((panel) => ({ open: !panel.open })),
  resize: (width) => set({ width: within(width) }),
  show: (tab) => set({ tab, open: true }),
  openFile: (path) => set({ tab: "files", open: true, wanted: { path } }),
  taken: () => set({ wanted: null }),
}));

usePanel.subscribe(({ open, width, tab }) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ open, width, tab }));
  } catch {
    // Kept for this page only.
  }
});
