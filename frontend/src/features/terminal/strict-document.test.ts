import { describe, expect, it, vi } from "vitest";
import { strictDocument } from "./strict-document";

class Sheet {
  text = "";
  replaceSync(text: string) {
    this.text = text;
  }
}

describe("the document that xterm gets", () => {
  it("makes sheets of style elements, and takes them away again", () => {
    vi.stubGlobal("CSSStyleSheet", Sheet);
    Object.defineProperty(document, "adoptedStyleSheets", { value: [], writable: true, configurable: true });
    const element = strictDocument(document).createElement("style");
    document.body.append(element);
    element.textContent = ".a { color: red }";
    element.textContent = ".a { color: blue }";
    expect(document.adoptedStyleSheets).toEqual([{ text: ".a { color: blue }" }]);
    expect(document.querySelector("style")).toBeNull();
    element.remove();
    expect(document.adoptedStyleSheets).toEqual([]);
    expect(element.isConnected).toBe(false);
    vi.unstubAllGlobals();
  });

  it("is a document otherwise", () => {
    const strict = strictDocument(document);
    const span = strict.createElement("span");
    span.setAttribute("style", "color: red;");
    span.setAttribute("data-a", "b");
    expect(strict instanceof Document).toBe(true);
    expect(span.style.color).toBe("red");
    expect(span.getAttribute("data-a")).toBe("b");
    expect(strict.createDocumentFragment().ownerDocument).toBe(document);
    expect(strict.defaultView).toBe(window);
  });
});
