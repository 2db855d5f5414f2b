// "@path" in a prompt names a file of the workspace: where one is being typed, and what takes its place.
import type { FolderEntry } from "../../protocol/messages.gen";
import { nameOf, parentOf, pathIn, ROOT } from "../files/tree";
import { ranked } from "../palette/fuzzy";

export interface Mention {
  /** From the "@" to the caret. */
  start: number;
  end: number;
  /** The folder that is looked into, and what its names are compared with. */
  folder: string;
  query: string;
}

export interface Suggestion {
  path: string;
  name: string;
  isFolder: boolean;
  /** The folder of one that was found by its name. */
  where?: string;
}

const MOST_SHOWN = 20;
/** An "@" after a blank or at the start; in quotes it may have blanks. */
const BEGUN = /(?:^|[\s([{])@(?:"([^"\n]*)|([^\s"@]*))$/u;

/** What is being named at the caret, or null. */
export function mentionAt(text: string, caret: number): Mention | null {
  const match = BEGUN.exec(text.slice(0, caret));
  if (!match) return null;
  const typed = match[1] ?? match[2] ?? "";
  const start = caret - typed.length - (match[1] === undefined ? 1 : 2);
  const slash = typed.lastIndexOf("/");
  const folder = slash < 0 ? ROOT : typed.slice(0, slash);
  if (folder.startsWith("/") || folder.split("/").includes("..") || slash === 0) return null;
  return { start, end: caret, folder, query: typed.slice(slash + 1) };
}

/** From so many letters on files are found by their name, wherever they are below the folder. */
export const FINDS_FROM = 2;

/** What was found elsewhere, after the folder's own names; what was found for fewer letters fits as far as it has the others. */
export function withFound(
  own: readonly Suggestion[],
  mention: Mention,
  paths: readonly string[],
): Suggestion[] {
  const query = mention.query.toLowerCase();
  const known = new Set(own.map((one) => one.path));
  const below = mention.folder === ROOT ? "" : `${mention.folder}/`;
  const found = paths
    .filter((path) => !known.has(path) && path.startsWith(below))
    .filter((path) => nameOf(path).toLowerCase().includes(query))
    .map((path) => ({ path, name: nameOf(path), isFolder: false, where: parentOf(path) }));
  return [...own, ...found].slice(0, MOST_SHOWN);
}

/** The names of the folder that fit what was typed, the best first. */
export function suggestions(mention: Mention, entries: readonly FolderEntry[]): Suggestion[] {
  const offered = entries.filter(
    (entry) =>
      (entry.type === "file" || entry.type === "folder") &&
      (!entry.name.startsWith(".") || mention.query.startsWith(".")),
  );
  return ranked(mention.query, offered, (entry) => entry.name)
    .slice(0, MOST_SHOWN)
    .map(({ item }) => ({
      path: pathIn(mention.folder, item.name),
      name: item.name,
      isFolder: item.type === "folder",
    }));
}

/** The text with the suggestion in the mention's place, and where the caret then is: in a folder one goes on naming. */
export function taken(
  text: string,
  mention: Mention,
  { path, isFolder }: Suggestion,
): { text: string; caret: number } {
  const before = text.slice(0, mention.start);
  const after = text.slice(mention.end);
  const named = isFolder ? begun(`${path}/`) : `${written(path)}${/^\s/.test(after) ? "" : " "}`;
  return { text: before + named + after, caret: before.length + named.length };
}

/** A path as it stands in a prompt. */
export function written(path: string): string {
  return /[\s"@]/.test(path) ? `@"${path.replaceAll('"', "'")}"` : `@${path}`;
}

function begun(path: string): string {
  return /[\s"@]/.test(path) ? `@"${path}` : `@${path}`;
}
