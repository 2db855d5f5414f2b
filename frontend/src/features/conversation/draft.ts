// What is being typed outlives a reload, a sign-in that ends, and a look at another session; a prompt does until it has arrived. Prompts and messages
// only, never a credential. What is typed at a call that waits for approval is kept for the tab only: a command may hold a secret, and nobody comes
// back to it when the call was decided elsewhere.
import { useMemo, useState } from "react";
import { create } from "zustand";

const PREFIX = "gadget.draft.";
const APPROVAL = "approval/";

interface Draft {
  /** What stands in the box; null when nothing does. */
  text: string | null;
  /** The prompt that left the box and has not arrived. */
  leaving: string | null;
}

/** By name and outside of any box: what comes back comes to the box that is there then, and what the browser may not keep is kept here. */
const useDrafts = create<Record<string, Draft>>(() => ({}));

/** Asked for inside of try: a browser that keeps nothing may throw. */
function storeOf(name: string): Storage {
  return name.startsWith(APPROVAL) ? sessionStorage : localStorage;
}

function stored(name: string): string | null {
  try {
    return storeOf(name).getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function read(name: string): Draft {
  return useDrafts.getState()[name] ?? { text: stored(name), leaving: null };
}

function keep(name: string, draft: Draft): void {
  useDrafts.setState({ [name]: draft });
  const text = draft.leaving === null ? draft.text : joined(draft.leaving, draft.text);
  try {
    if (text === null) storeOf(name).removeItem(PREFIX + name);
    else storeOf(name).setItem(PREFIX + name, text);
  } catch {
    // Full or forbidden: the text is still in the page. What was stored before is not what stands there now.
    forget(name);
  }
}

function forget(name: string): void {
  try {
    storeOf(name).removeItem(PREFIX + name);
  } catch {
    // Forbidden: nothing was stored.
  }
}

function joined(first: string, then: string | null): string {
  return then?.trim() ? `${first}\n\n${then}` : first;
}

/** What is typed under a name; null when nothing is. */
export function draftOf(name: string): string | null {
  return read(name).text;
}

export function writeDraft(name: string, text: string | null): void {
  keep(name, { ...read(name), text: text || null });
}

function useTyped(name: string): string | null {
  const known = useDrafts((drafts) => drafts[name]);
  const first = useMemo(() => stored(name), [name]);
  return known ? known.text : first;
}

/** As useState, for what is typed in a box: a session's prompt by the session's id. */
export function useDraft(name: string): [string, (text: string) => void] {
  return [useTyped(name) ?? "", (text) => writeDraft(name, text)];
}

/** Takes the prompt out of the box. */
export function draftLeaves(name: string): string {
  const text = draftOf(name) ?? "";
  keep(name, { text: null, leaving: text });
  return text;
}

export function draftArrived(name: string, prompt: string): void {
  const { text, leaving } = read(name);
  keep(name, { text, leaving: leaving === prompt ? null : leaving });
}

/** Puts it back, in front of what was typed meanwhile. */
export function draftFailed(name: string, prompt: string): void {
  const { text, leaving } = read(name);
  keep(name, { text: joined(prompt, text), leaving: leaving === prompt ? null : leaving });
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

/** The name of a part of the answer to a call that waits for approval. */
export const answerOf = (turnId: string, callId: string, part: "reason" | "command" | "answer") =>
  `${APPROVAL}${turnId}/${callId}/${part}`;

/** Other words for a text that stands there; they are kept as soon as they are others. */
export function useRewording(name: string, text: string): Rewording {
  const other = useTyped(name);
  const [asked, setAsked] = useState(false);
  return {
    words: other ?? (asked ? text : null),
    asked,
    begin: () => setAsked(true),
    type(words) {
      setAsked(true);
      keep(name, { text: words === text ? null : words, leaving: null });
    },
    end() {
      setAsked(false);
      keep(name, { text: null, leaving: null });
    },
  };
}

/** Moves what was typed in a box that goes away to the end of another draft; whether there was something. */
export function handOver(from: string, to: string): boolean {
  const words = draftOf(from);
  if (!words?.trim()) return false;
  const there = draftOf(to);
  writeDraft(to, there?.trim() ? joined(there, words) : words);
  writeDraft(from, null);
  return true;
}
