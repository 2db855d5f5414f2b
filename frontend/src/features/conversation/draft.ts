// What is being typed outlives a reload, a sign-in that ends, and a look at another session. Prompts and messages only, never a credential.
import { useLayoutEffect, useState } from "react";

const PREFIX = "gadget.draft.";
const LONGEST = 200_000;

/** What the browser has no room for, or may not keep. */
const unkept = new Map<string, string>();
/** Tells the box that shows a draft when it changes, by the draft's name. */
const changed = new EventTarget();

/** What is typed under a name; null when nothing is. */
export function draftOf(name: string): string | null {
  try {
    return unkept.get(name) ?? localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function keep(name: string, text: string | null): void {
  unkept.delete(name);
  try {
    if (text === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text.slice(0, LONGEST));
  } catch {
    if (text !== null) unkept.set(name, text);
  }
  changed.dispatchEvent(new CustomEvent(name, { detail: text }));
}

function useTyped(name: string): [string | null, (text: string | null) => void] {
  const [text, setText] = useState(() => draftOf(name));
  // Before it is painted: what is moved elsewhere is not seen here for a moment.
  useLayoutEffect(() => {
    const hear = (event: Event) => setText((event as CustomEvent<string | null>).detail);
    changed.addEventListener(name, hear);
    return () => changed.removeEventListener(name, hear);
  }, [name]);
  return [text, (next) => keep(name, next)];
}

/** As useState, for what is typed in a box: a session's prompt by the session's id. */
export function useDraft(name: string): [string, (text: string) => void] {
  const [text, setText] = useTyped(name);
  return [text ?? "", (next) => setText(next || null)];
}

export interface Rewording {
  /** The words as they are being changed; null while nobody changes them. */
  words: string | null;
  /** Whether the person has just asked to change them here. */
  asked: boolean;
  begin(): void;
  type(words: string): void;
  end(): void;
}

/** The name of other words for a turn's prompt, while it waits and when it was sent. */
export const wordsOf = (turnId: string) => `${turnId}/words`;

/** Other words for a text that stands there; they are kept as soon as they are others. */
export function useRewording(name: string, text: string): Rewording {
  const [other, setOther] = useTyped(name);
  const [asked, setAsked] = useState(false);
  return {
    words: other ?? (asked ? text : null),
    asked,
    begin: () => setAsked(true),
    type(words) {
      setAsked(true);
      setOther(words === text ? null : words);
    },
    end() {
      setAsked(false);
      setOther(null);
    },
  };
}

/** Moves what was typed in a box that goes away to the end of another draft; whether there was something. */
export function handOver(from: string, to: string): boolean {
  const words = draftOf(from);
  if (!words?.trim()) return false;
  const there = draftOf(to);
  keep(to, there?.trim() ? `${there}\n\n${words}` : words);
  keep(from, null);
  return true;
}
