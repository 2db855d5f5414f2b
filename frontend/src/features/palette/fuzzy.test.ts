import { describe, expect, test } from "vitest";
import { fuzzy, ranked } from "./fuzzy";

const best = (query: string, ...texts: string[]) =>
  ranked(query, texts, (text) => text).map((one) => one.item);

describe("finding by a few letters", () => {
  test("the beginning of a word is meant before its middle, and its middle before scattered letters", () => {
    expect(best("car", "A scarf", "Mend the cart", "Call a repair")).toEqual([
      "Mend the cart",
      "A scarf",
      "Call a repair",
    ]);
  });

  test("first letters of words are enough", () => {
    expect(fuzzy("tdp", "Toggle the dark panel")?.at).toEqual([0, 11, 16]);
  });

  test("words may come in any order, and all have to be there", () => {
    expect(best("cart fix", "Fix the cart", "Fix the till")).toEqual(["Fix the cart"]);
  });

  test("an empty query fits everything as it stands", () => {
    expect(best("  ", "b", "a")).toEqual(["b", "a"]);
  });

  test("letters outside the basic plane and of other scripts are found as people see them", () => {
    expect(fuzzy("ש", "🛒 שלום")?.at).toEqual([2]);
    expect(fuzzy("É", "café")?.at).toEqual([3]);
    expect(fuzzy("x", "café")).toBeNull();
  });
});
