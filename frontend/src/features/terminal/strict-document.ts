// xterm writes its colours and sizes into <style> elements and style attributes, which the page's content policy refuses. It is given a
// document whose style elements are constructed sheets, and whose spans take their style by the object model: both are allowed.

function sheetElement(document: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement("span");
  element.hidden = true;
  Object.defineProperty(element, "textContent", {
    set(text: string) {
      sheet.replaceSync(text);
      if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
    },
  });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    Element.prototype.remove.call(element);
  };
  return element;
}

function styledElement(document: Document, name: string): HTMLElement {
  const element = document.createElement(name);
  element.setAttribute = (attribute, value) => {
    if (attribute === "style") element.style.cssText = value;
    else Element.prototype.setAttribute.call(element, attribute, value);
  };
  return element;
}

/** The document as xterm may use it under a policy without inline styles. */
export function strictDocument(document: Document): Document {
  return new Proxy(document, {
    get(target, key) {
      if (key === "createElement") {
        return (name: string) => (name === "style" ? sheetElement(target) : styledElement(target, name));
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}
