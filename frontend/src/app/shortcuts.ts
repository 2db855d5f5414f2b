// Every key that does something anywhere on the page, once: what listens and what the help shows.

export type ShortcutId =
  | "palette"
  | "help"
  | "new-session"
  | "find-session"
  | "previous-session"
  | "next-session"
  | "prompt"
  | "panel"
  | "stop";

interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = IS_MAC ? "⌘" : "Ctrl";
const ALT = IS_MAC ? "⌥" : "Alt";

export interface Shortcut {
  id: ShortcutId;
  keys: readonly string[];
  words: string;
}

/** What the help adds to the keys that do something everywhere. */
export const KEYS_NOTE = IS_MAC ? "In a text field ⌥ makes letters, as everywhere on a Mac." : null;

/** In the order in which the help shows them. */
export const SHORTCUTS: readonly Shortcut[] = [
  { id: "palette", keys: [MOD, "K"], words: "Find a session or a command" },
  { id: "help", keys: ["?"], words: "Show the keys" },
  { id: "new-session", keys: [ALT, "N"], words: "New session" },
  { id: "find-session", keys: [ALT, "S"], words: "Search the list of sessions" },
  { id: "previous-session", keys: [ALT, "↑"], words: "Previous session in the list" },
  { id: "next-session", keys: [ALT, "↓"], words: "Next session in the list" },
  { id: "prompt", keys: [ALT, "P"], words: "Go to the prompt" },
  { id: "panel", keys: [ALT, "B"], words: "Show or hide the side panel" },
  { id: "stop", keys: [MOD, "."], words: "Stop the turn that runs" },
];

/** Keys that only do something where they are pressed. */
export const PLACES: readonly {
  title: string;
  keys: readonly { keys: readonly string[]; words: string }[];
}[] = [
  {
    title: "In the prompt",
    keys: [
      { keys: ["Enter"], words: "Send" },
      { keys: ["Shift", "Enter"], words: "New line" },
      { keys: ["↑"], words: "When it is empty: what you sent before" },
      { keys: ["@"], words: "Name a file of the workspace" },
    ],
  },
  {
    title: "In the replay of a turn",
    keys: [
      { keys: ["Space"], words: "Play or pause" },
      { keys: ["←", "→"], words: "What happened before, and next" },
    ],
  },
  {
    title: "In a session",
    keys: [{ keys: [MOD, "F"], words: "Find in all of it; once more: the browser’s own search" }],
  },
  {
    title: "In lists, trees and dialogs",
    keys: [
      { keys: ["↑", "↓"], words: "Go through what is there" },
      { keys: ["Enter"], words: "Choose" },
      { keys: ["F2"], words: "Rename the session that has the focus" },
      { keys: ["Esc"], words: "Close, or leave without a change" },
    ],
  },
];

export function keysOf(id: ShortcutId): readonly string[] {
  return SHORTCUTS.find((one) => one.id === id)?.keys ?? [];
}

const WITH_ALT: Record<string, ShortcutId> = {
  KeyN: "new-session",
  KeyS: "find-session",
  KeyP: "prompt",
  KeyB: "panel",
  ArrowUp: "previous-session",
  ArrowDown: "next-session",
};

/** What a key press asks for; letters are letters while somebody types. */
export function shortcutOf(pressed: Pressed, typing: boolean, mac = IS_MAC): ShortcutId | null {
  const mod = mac ? pressed.metaKey && !pressed.ctrlKey : pressed.ctrlKey && !pressed.metaKey;
  if (mod && !pressed.altKey && !pressed.shiftKey) {
    if (pressed.key.toLowerCase() === "k") return "palette";
    if (pressed.key === ".") return "stop";
    return null;
  }
  if (pressed.ctrlKey || pressed.metaKey) return null;
  // By the place of the key: with Alt some keyboards make other letters, on a Mac nearly all of them.
  if (pressed.altKey) return pressed.shiftKey || (mac && typing) ? null : (WITH_ALT[pressed.code] ?? null);
  return pressed.key === "?" && !typing ? "help" : null;
}

/** Whether a key was pressed in what takes letters; of an editor in a shadow root the event itself names only the root's host. */
export function takesLetters(event: Event): boolean {
  const target = event.composedPath()[0] ?? event.target;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
