// What a person opened or typed in a part of a conversation, while that part is scrolled out of sight and not there.
import { createContext, use, useState } from "react";

export const KeptContext = createContext<Map<string, unknown>>(new Map());

/** As useState, for a part that may be taken off the page and put back. */
export function useKept<T>(key: string, first: T): [T, (value: T) => void] {
  const kept = use(KeptContext);
  const [value, setValue] = useState<{ key: string; now: T } | null>(null);
  const now = value?.key === key ? value.now : kept.has(key) ? (kept.get(key) as T) : first;
  return [
    now,
    (next) => {
      kept.set(key, next);
      setValue({ key, now: next });
    },
  ];
}
