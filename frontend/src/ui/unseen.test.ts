import { describe, expect, test } from "vitest";
import { partsOf, unseenIn } from "./unseen";

describe("characters that are not seen", () => {
  test("are named, and the text around them is whole", () => {
    const text = "rm -rf \u202e/tmp\u2066 a\u200bb\u{e0041}\0";
    expect(unseenIn(text)).toEqual(["U+202E", "U+2066", "U+200B", "U+E0041", "U+0000"]);
    expect(
      partsOf(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });

  test("a carriage return counts where it overwrites what came before it", () => {
    expect(unseenIn("rm -rf /\rls")).toEqual(["U+000D"]);
    expect(unseenIn("one\r\ntwo\r")).toEqual([]);
    expect(unseenIn("\x1b[2K")).toEqual(["U+001B"]);
  });

  test("what people write stays as it is: tabs, accents, other scripts, emoji", () => {
    for (const text of ["a\tb\nc", "naïve", "שלום", "漢字", "👩‍💻 ❤️ 👍🏽 1️⃣ 🏴‍☠️"]) {
      expect(partsOf(text)).toEqual([{ text }]);
    }
    expect(unseenIn("a\u200db\ufe0f")).toEqual(["U+200D", "U+FE0F"]);
  });

  test("an empty text has no parts", () => {
    expect(partsOf("")).toEqual([]);
  });
});
