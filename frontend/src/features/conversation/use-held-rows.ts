import { type RefObject, useEffect, useMemo, useState } from "react";

/** A selection over more rows than this loses its middle when it is scrolled away. */
const MOST_HELD = 100;

/** Rows that stay on the page out of sight: where the focus is, and what is selected. */
export function useHeldRows(box: RefObject<HTMLElement | null>, rows: readonly { key: string }[]): number[] {
  const [focused, setFocused] = useState<string | null>(null);
  const [selected, setSelected] = useState<readonly [string, string] | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const stop = new AbortController();
    const heard = { signal: stop.signal };
    const row = (node: Node | null) => {
      const from = node instanceof Element ? node : node?.parentElement;
      let found: HTMLElement | null = null;
      // Rows may hold rows of another list.
      for (let at = from?.closest<HTMLElement>("[data-row]"); at && element.contains(at); ) {
        found = at;
        at = at.parentElement?.closest<HTMLElement>("[data-row]");
      }
      return found?.dataset.row ?? null;
    };
    element.addEventListener("focusin", (event) => setFocused(row(event.target as Node)), heard);
    // Where it goes next: a row that let go of it for a moment would be gone before the click that moves it has ended.
    element.addEventListener(
      "focusout",
      (event) => setFocused(row(event.relatedTarget as Node | null)),
      heard,
    );
    document.addEventListener(
      "selectionchange",
      () => {
        const selection = document.getSelection();
        const from = row(selection?.anchorNode ?? null);
        const to = row(selection?.focusNode ?? null);
        setSelected((before) => {
          if (!selection || selection.isCollapsed || !from || !to) return null;
          return before?.[0] === from && before[1] === to ? before : [from, to];
        });
      },
      heard,
    );
    return () => stop.abort();
  }, [box]);

  return useMemo(() => {
    if (!focused && !selected) return [];
    const at = (key: string) => rows.findIndex((row) => row.key === key);
    const held = new Set<number>(focused ? [at(focused)] : []);
    if (selected) {
      const [one, other] = selected.map(at) as [number, number];
      const start = Math.min(one, other);
      const end = Math.min(Math.max(one, other), start + MOST_HELD);
      for (let index = start; index <= end; index += 1) held.add(index);
    }
    held.delete(-1);
    return [...held].sort((a, b) => a - b);
  }, [focused, selected, rows]);
}
