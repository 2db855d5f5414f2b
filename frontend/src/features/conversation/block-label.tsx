import { create } from "zustand";

const KEY = "gadget.labels";

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === "shown";
  } catch {
    return false;
  }
}

/** Whether this person wants each block to say what it is. */
export const useLabels = create<{ shown: boolean; choose(shown: boolean): void }>((set) => ({
  shown: stored(),
  choose(shown) {
    try {
      localStorage.setItem(KEY, shown ? "shown" : "hidden");
    } catch {
      // Kept for this page only.
    }
    set({ shown });
  },
}));

/** What a block is, for those who want to be told; who listens hears it from the block itself. */
export function BlockLabel({ words, className = "" }: { words: string; className?: string }) {
  const shown = useLabels((labels) => labels.shown);
  return shown ? (
    <p aria-hidden data-testid="block-label" className={`text-2xs font-medium text-faint ${className}`}>
      {words}
    </p>
  ) : null;
}
