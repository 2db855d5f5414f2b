import { describe, expect, test } from "vitest";
import { SHORTCUTS, shortcutOf, takesLetters } from "./shortcuts";

const press = (part: Partial<KeyboardEvent>) => ({
  key: "",
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...part,
});

describe("keys", () => {
  test("Ctrl+K here and Cmd+K on a Mac open the palette, also while somebody types", () => {
    expect(shortcutOf(press({ key: "k", ctrlKey: true }), true, false)).toBe("palette");
    expect(shortcutOf(press({ key: "k", metaKey: true }), true, true)).toBe("palette");
    expect(shortcutOf(press({ key: "k", ctrlKey: true }), true, true)).toBeNull();
  });

  test("a question mark is a letter while somebody types", () => {
    expect(shortcutOf(press({ key: "?", shiftKey: true }), false, false)).toBe("help");
    expect(shortcutOf(press({ key: "?", shiftKey: true }), true, false)).toBeNull();
  });

  test("an editor in a shadow root takes letters as a field of the page does", () => {
    const heard: boolean[] = [];
    const listener = (event: Event) => heard.push(takesLetters(event));
    window.addEventListener("keydown", listener);
    const press = (from: Element) =>
      from.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true, composed: true }));
    const host = document.body.appendChild(document.createElement("div"));
    press(host.attachShadow({ mode: "open" }).appendChild(document.createElement("textarea")));
    press(document.body.appendChild(document.createElement("input")));
    press(host);
    window.removeEventListener("keydown", listener);
    expect(heard).toEqual([true, true, false]);
  });

  test("with Alt the place of the key counts, and AltGr makes letters", () => {
    expect(shortcutOf(press({ key: "ñ", code: "KeyN", altKey: true }), true, false)).toBe("new-session");
    expect(
      shortcutOf(press({ key: "ń", code: "KeyN", altKey: true, ctrlKey: true }), true, false),
    ).toBeNull();
  });

  test("on a Mac Option makes letters and moves the caret while somebody types", () => {
    for (const [key, code] of [
      ["~", "KeyN"],
      ["∫", "KeyB"],
      ["ArrowUp", "ArrowUp"],
    ] as const) {
      expect(shortcutOf(press({ key, code, altKey: true }), true, true)).toBeNull();
    }
    expect(shortcutOf(press({ key: "~", code: "KeyN", altKey: true }), false, true)).toBe("new-session");
  });

  test("plain letters and arrows do nothing", () => {
    expect(shortcutOf(press({ key: "n", code: "KeyN" }), false, false)).toBeNull();
    expect(shortcutOf(press({ key: "ArrowDown", code: "ArrowDown" }), false, false)).toBeNull();
  });

  test("no two things have the same keys", () => {
    const keys = SHORTCUTS.map((one) => one.keys.join("+"));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
