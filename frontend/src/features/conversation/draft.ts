// What is being typed outlives a reload. Prompts only, never a credential.
import { useState } from "react";

const PREFIX = "gadget.draft.";
const LONGEST = 200_000;

function read(sessionId: string): string {
  try {
    return localStorage.getItem(PREFIX + sessionId) ?? "";
  } catch {
    return "";
  }
}

export function useDraft(sessionId: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => read(sessionId));
  function keep(next: string) {
    setText(next);
    try {
      if (next) localStorage.setItem(PREFIX + sessionId, next.slice(0, LONGEST));
      else localStorage.removeItem(PREFIX + sessionId);
    } catch {
      // Full or forbidden: the text is still on the screen.
    }
  }
  return [text, keep];
}
