import { type RefObject, useEffect, useRef, useSyncExternalStore } from "react";
import { composes } from "./composing";

/** Whether a media query holds, also when that changes. */
export function useMatches(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener("change", changed);
      return () => query.removeEventListener("change", changed);
    },
    () => query.matches,
  );
}

interface Sheet {
  open: boolean;
  /** Whether it covers the page while it is open; it stands beside it otherwise. */
  covers: boolean;
  /** What in it has the focus at first. */
  first: string;
  /** What opens it, and has the focus when it is closed. */
  opener: string;
  close(): void;
}

/** What opens over the page on a narrow screen: the focus is in it, nothing below can be reached, and Escape closes it. */
export function useSheet(box: RefObject<HTMLElement | null>, sheet: Sheet): void {
  const { open, covers, first, opener } = sheet;
  const close = useRef(sheet.close);
  close.current = sheet.close;
  const over = useRef(covers);
  over.current = covers;

  // First of both, so that it knows what had the focus before the sheet took it.
  useEffect(() => {
    const it = box.current;
    if (!open || !it) return;
    const before = document.activeElement;
    return () => {
      // With all that is around it gone there is nowhere to return to.
      if (!it.isConnected) return;
      const active = document.activeElement;
      if (active && active !== document.body && !it.contains(active)) return;
      const from =
        over.current && before instanceof HTMLElement && before !== document.body && before.isConnected;
      const target = from && !it.contains(before) ? before : document.querySelector<HTMLElement>(opener);
      // What is inert takes no focus.
      uncover(it);
      target?.focus({ preventScroll: true });
    };
  }, [box, open, opener]);

  useEffect(() => {
    const it = box.current;
    if (!open || !covers || !it) return;
    cover(it);
    if (!it.contains(document.activeElement))
      it.querySelector<HTMLElement>(first)?.focus({ preventScroll: true });
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || composes(event)) return;
      // A dialog over it is what Escape closes.
      if (!document.querySelector("dialog[open]")) close.current();
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      uncover(it);
    };
  }, [box, open, covers, first]);
}

const covered = new WeakMap<HTMLElement, HTMLElement[]>();

/** Everything beside it, but for what closes it with a click, and dialogs, which are over it. */
function cover(sheet: HTMLElement): void {
  const beside: HTMLElement[] = [];
  for (let at: Element = sheet; at.parentElement && at !== document.body; at = at.parentElement) {
    for (const other of at.parentElement.children) {
      if (other === at || !(other instanceof HTMLElement) || other.hasAttribute("inert")) continue;
      if (other.matches("dialog, script, [data-veil]")) continue;
      other.setAttribute("inert", "");
      beside.push(other);
    }
  }
  covered.set(sheet, beside);
}

function uncover(sheet: HTMLElement): void {
  for (const other of covered.get(sheet) ?? []) other.removeAttribute("inert");
  covered.delete(sheet);
}
