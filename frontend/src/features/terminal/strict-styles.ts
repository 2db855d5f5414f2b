// xterm writes its colours and sizes into <style> elements and style attributes, which the page's content policy refuses. Constructed
// sheets, and styles that are set by the object model, it allows; so xterm gets those in their place.

function create(document: Document, name: string): HTMLElement {
  return Document.prototype.createElement.call(document, name);
}

/** In the place of a style element: what is written into it becomes a sheet of the document. */
function sheetElement(document: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = create(document, "span");
  element.hidden = true;
  Object.defineProperty(element, "textContent", {
    set(text: string) {
      sheet.replaceSync(text);
      if (!document.adoptedStyleSheets.includes(sheet)) {
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}

/** From now on the style attribute of spans is set by the object model; the policy would refuse it otherwise. */
export function styleSpansStrictly(): void {
  HTMLSpanElement.prototype.setAttribute = function setAttribute(name, value) {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}

/** Runs what xterm does at once when it opens: it makes its style elements then, and only then. */
export function withStrictStyles(document: Document, action: () => void): void {
  document.createElement = (name: string) =>
    name === "style" ? sheetElement(document) : create(document, name);
  try {
    action();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
