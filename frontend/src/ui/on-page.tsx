// A part of the page in a browser's document, for tests, and a person who uses it.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// Nothing has a place in jsdom.
Element.prototype.scrollIntoView = () => {};
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;

export interface OnPage {
  place: HTMLElement;
  client: QueryClient;
  /** Shows this instead, as the same part. */
  again(part: ReactNode): void;
  /** Takes it off the page. */
  leave(): void;
}

export function onPage(part: ReactNode, client = new QueryClient()): OnPage {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const again = (next: ReactNode) =>
    act(() => root.render(<QueryClientProvider client={client}>{next}</QueryClientProvider>));
  again(part);
  return {
    place,
    client,
    again,
    leave() {
      act(() => root.unmount());
      place.remove();
    },
  };
}

export function one<T extends HTMLElement>(place: ParentNode, selector: string): T {
  const found = place.querySelector<T>(selector);
  if (!found) throw new Error(`There is no ${selector} in: ${(place as Element).outerHTML}`);
  return found;
}

export function button(place: ParentNode, words: string): HTMLButtonElement {
  const found = [...place.querySelectorAll("button")].find(
    (each) => each.getAttribute("aria-label") === words || each.textContent?.trim() === words,
  );
  if (!found) throw new Error(`There is no button "${words}" in: ${(place as Element).outerHTML}`);
  return found;
}

/** Presses it, and lets what follows from that happen. */
export async function click(element: HTMLElement): Promise<void> {
  await act(async () => {
    element.focus();
    element.click();
  });
}

/** Types it in, or chooses it. */
export function type(box: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, text: string): void {
  const event = box instanceof HTMLSelectElement ? "change" : "input";
  act(() => {
    // React notices only what its own setter has not seen.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), "value")?.set?.call(box, text);
    box.dispatchEvent(new Event(event, { bubbles: true }));
  });
}

export function press(element: HTMLElement, key: string, part: KeyboardEventInit = {}): void {
  act(() => {
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...part }));
  });
}
