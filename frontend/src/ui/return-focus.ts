import { type RefObject, useEffect, useRef } from "react";

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Whether a place may take the focus: who is elsewhere, perhaps in mid-typing, stays there. */
export function mayTakeFocus(place: Element | null): boolean {
  return isNowhere() || place?.contains(document.activeElement) === true;
}

/** Takes the focus for what a person has just asked for, where what had it is hidden or gone. */
export function useFocusOnce(
  box: RefObject<HTMLElement | null>,
  asked: object | null,
  inside?: string,
): void {
  useEffect(() => {
    if (!asked || (!isNowhere() && document.activeElement?.checkVisibility())) return;
    const target = inside ? box.current?.querySelector<HTMLElement>(inside) : box.current;
    target?.focus({ preventScroll: true });
  }, [box, asked, inside]);
}

/** When what had the focus goes away, the focus returns to where it was before. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (isNowhere() && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
}

/** When a form in the box closes, the control with its name in `data-opens` has the focus: it took the form's place. */
export function useFocusBack(box: RefObject<HTMLElement | null>, open: string | null): void {
  const before = useRef(open);
  useEffect(() => {
    const was = before.current;
    before.current = open;
    if (was !== null && open === null && isNowhere())
      box.current?.querySelector<HTMLElement>(`[data-opens="${was}"]`)?.focus({ preventScroll: true });
  }, [box, open]);
}

/** Gives the focus to the prompt when what has it goes away; who is elsewhere by now stays there. */
export function focusPrompt(leaving: Element | null): void {
  // On a touch screen it would bring up the keyboard.
  if (mayTakeFocus(leaving) && window.matchMedia("(pointer: fine)").matches)
    document.querySelector<HTMLElement>('[data-testid="prompt-input"]')?.focus();
}
