// A long text that was pasted becomes a file of the workspace, and the prompt names it.
import { changeMode, createEntry } from "../../api/files";
import { written } from "./mention";

/** Whoever pastes more is offered to put it into a file. */
export const LONG_PASTE_CHARS = 20_000;

/** Under which key it is known that a text of the session's prompt is becoming a file. */
export const attaching = (sessionId: string) => ["attach", sessionId];

const pad = (value: number) => String(value).padStart(2, "0");

export function pastedName(now: Date): string {
  const day = `${now.getFullYear()}${pad(now.getMonth() + 1)}${pad(now.getDate())}`;
  return `pasted-${day}-${pad(now.getHours())}${pad(now.getMinutes())}${pad(now.getSeconds())}.txt`;
}

/** The draft with the file's name in place of the text; the name at the end when the text was changed meanwhile. */
export function withName(draft: string, pasted: string, name: string): string {
  const at = draft.indexOf(pasted);
  if (at < 0) return `${draft.trimEnd()} ${written(name)} `.trimStart();
  const before = draft.slice(0, at);
  const after = draft.slice(at + pasted.length);
  const gap = before === "" || /\s$/.test(before) ? "" : " ";
  return `${before}${gap}${written(name)}${/^\s/.test(after) ? "" : " "}${after}`;
}

/** Writes the file while the workspace is nobody else's, and gives it back. */
export async function attach(sessionId: string, text: string, name: string): Promise<void> {
  await changeMode(sessionId, "user");
  try {
    await createEntry(sessionId, name, { type: "file", text });
  } finally {
    await changeMode(sessionId, "idle").catch(() => undefined);
  }
}
