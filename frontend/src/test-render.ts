// Puts a part of the page into a document, for tests.
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// In jsdom nothing has a place or a size.
Element.prototype.scrollIntoView ??= () => {};
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;

export interface Rendered {
  container: HTMLElement;
  again(node: ReactNode): void;
}

/** It is taken away when the test is over. */
export function render(node: ReactNode): Rendered {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  const again = (next: ReactNode) => act(() => root.render(next));
  onTestFinished(() => {
    act(() => root.unmount());
    container.remove();
  });
  again(node);
  return { container, again };
}
