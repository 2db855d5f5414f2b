// Which thoughts a person opened: each by itself in this tab, and whether what is being thought is watched.
import { use } from "react";
import { create } from "zustand";
import { MeContext } from "../../app/shell-context";

const THOUGHTS = "gadget.thoughts";
const LIVE = "gadget.thinking";
/** So many are remembered, the latest. */
const MOST = 500;

type Opened = Readonly<Record<string, boolean>>;

function stored(): Opened {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(THOUGHTS) ?? "{}");
    return Object.fromEntries(
      Object.entries(value ?? {}).filter(([, open]) => typeof open === "boolean"),
    ) as Opened;
  } catch {
    return {};
  }
}

const useThoughts = create<{ opened: Opened }>(() => ({ opened: stored() }));

function choose(key: string, open: boolean): void {
  const { [key]: _, ...others } = useThoughts.getState().opened;
  const opened = Object.fromEntries([...Object.entries(others), [key, open] as const].slice(-MOST));
  useThoughts.setState({ opened });
  try {
    sessionStorage.setItem(THOUGHTS, JSON.stringify(opened));
  } catch {
    // Kept for this page only.
  }
}

function watches(userId: string): boolean {
  try {
    return localStorage.getItem(`${LIVE}.${userId}`) !== "closed";
  } catch {
    return true;
  }
}

function chooseLive(userId: string, open: boolean): void {
  try {
    localStorage.setItem(`${LIVE}.${userId}`, open ? "open" : "closed");
  } catch {
    // The next one is open again.
  }
}

/** Whether a thought is open: as this person left it, and one that is being thought as the last such one was left. */
export function useThoughtOpen(
  place: string,
  live: boolean,
): [open: boolean, choose: (open: boolean) => void] {
  const userId = use(MeContext)?.id ?? "";
  const key = `${userId}/${place}`;
  const own = useThoughts((thoughts) => thoughts.opened[key]);
  return [
    own ?? (live && watches(userId)),
    (open) => {
      choose(key, open);
      if (live) chooseLive(userId, open);
    },
  ];
}
