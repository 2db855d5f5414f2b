// The tree of a workspace as a list of rows, and where the arrow keys lead in it.
import type { EntryType, FolderEntry, GitStatus } from "../../protocol/messages.gen";

export const ROOT = ".";

export interface TreeRow {
  path: string;
  name: string;
  type: EntryType;
  level: number;
  status: GitStatus | null;
  open: boolean;
}

export function pathIn(folder: string, name: string): string {
  return folder === ROOT ? name : `${folder}/${name}`;
}

export function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? ROOT : path.slice(0, end);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** What is shown, in order: below each open folder what is known of it. */
export function rows(
  entries: ReadonlyMap<string, readonly FolderEntry[]>,
  open: ReadonlySet<string>,
  folder = ROOT,
  level = 1,
): TreeRow[] {
  return (entries.get(folder) ?? []).flatMap((entry) => {
    const path = pathIn(folder, entry.name);
    const isOpen = entry.type === "folder" && open.has(path);
    const row = {
      path,
      name: entry.name,
      type: entry.type,
      level,
      status: entry.status ?? null,
      open: isOpen,
    };
    return isOpen ? [row, ...rows(entries, open, path, level + 1)] : [row];
  });
}

/** What a key does to the row at this place: go to another one, open or close it. */
export type Step = { go: string } | { open: string } | { close: string };

export function step(shown: readonly TreeRow[], path: string | null, key: string): Step | null {
  const at = shown.findIndex((row) => row.path === path);
  const row = shown[at];
  const go = (place: number): Step | null => {
    const target = shown[place];
    return target ? { go: target.path } : null;
  };
  switch (key) {
    case "ArrowDown":
      return go(at + 1);
    case "ArrowUp":
      return at < 0 ? go(0) : go(at - 1);
    case "Home":
      return go(0);
    case "End":
      return go(shown.length - 1);
    case "ArrowRight":
      if (row?.type !== "folder") return null;
      return row.open ? (shown[at + 1]?.level === row.level + 1 ? go(at + 1) : null) : { open: row.path };
    case "ArrowLeft":
      if (row?.open) return { close: row.path };
      return row && row.level > 1 ? { go: parentOf(row.path) } : null;
    default:
      return null;
  }
}
