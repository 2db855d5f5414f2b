import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { styleSpansStrictly, withStrictStyles } from "./strict-styles";

class Sheet {
  text = "";
  replaceSync(text: string) {
    this.text = text;
  }
}

beforeEach(() => {
  vi.stubGlobal("CSSStyleSheet", Sheet);
  Object.defineProperty(document, "adoptedStyleSheets", { value: [], writable: true, configurable: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(HTMLSpanElement.prototype, "setAttribute");
});

describe("styles under the content policy", () => {
  it("are sheets in the place of style elements, and go with them", () => {
    const made: HTMLElement[] = [];
    withStrictStyles(document, () =>
      made.push(document.createElement("style"), document.createElement("div")),
    );
    const [style, other] = made as [HTMLElement, HTMLElement];
    document.body.append(style, other);
    style.textContent = ".a { color: red }";
    style.textContent = ".a { color: blue }";
    expect(document.adoptedStyleSheets).toEqual([{ text: ".a { color: blue }" }]);
    expect(document.querySelector("style")).toBeNull();
    expect(other.tagName).toBe("DIV");
    style.remove();
    expect(document.adoptedStyleSheets).toEqual([]);
    expect(style.isConnected).toBe(false);
  });

  it("are those of the page again afterwards, also when it fails", () => {
    const fails = () =>
      withStrictStyles(document, () => {
        throw new Error("on the way");
      });
    expect(fails).toThrow("on the way");
    expect(document.createElement("style").tagName).toBe("STYLE");
  });

  it("are set by the object model on spans, also on copies of them", () => {
    styleSpansStrictly();
    const span = document.createElement("span").cloneNode() as HTMLElement;
    const plain = vi.spyOn(Element.prototype, "setAttribute");
    span.setAttribute("style", "color: red;");
    expect(plain).not.toHaveBeenCalled();
    span.setAttribute("data-a", "b");
    expect(span.style.color).toBe("red");
    expect(span.dataset.a).toBe("b");
    plain.mockRestore();
  });
});
