import { describe, expect, test } from "vitest";
import { merge } from "./merge";

const BASE = "one\ntwo\nthree\nfour\nfive\n";

/** Numbers below a bound, the same ones for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A text of few words, so that lines come again, with some changes. */
function changed(text: string, next: (below: number) => number): string {
  const lines = text.split("\n");
  for (let times = next(5); times > 0; times -= 1)
    lines.splice(
      next(lines.length + 1),
      next(3),
      ...Array.from({ length: next(3) }, () => "abcd"[next(4)] ?? ""),
    );
  return lines.join("\n");
}

describe("texts that began as the same one", () => {
  test("what both changed in different places is in it, with nothing left", () => {
    const mine = BASE.replace("one", "ONE");
    const theirs = BASE.replace("five\n", "FIVE\nsix\n");
    expect(merge(BASE, mine, theirs)).toEqual({ text: "ONE\ntwo\nthree\nfour\nFIVE\nsix\n", left: 0 });
  });

  test("lines that are next to each other are different places", () => {
    expect(merge(BASE, BASE.replace("two", "2"), BASE.replace("three", "3"))).toEqual({
      text: "one\n2\n3\nfour\nfive\n",
      left: 0,
    });
  });

  test("what both changed the same way is in it once", () => {
    const both = BASE.replace("two\n", "two\ntwo and a half\n");
    expect(merge(BASE, both, both.replace("five", "5"))).toEqual({
      text: both.replace("five", "5"),
      left: 0,
    });
  });

  test("where both changed the same lines it has mine, and says so", () => {
    const mine = BASE.replace("two", "mine").replace("five", "5");
    const theirs = BASE.replace("two", "theirs").replace("one", "zero\none").replace("five", "fünf");
    expect(merge(BASE, mine, theirs)).toEqual({ text: "zero\none\nmine\nthree\nfour\n5\n", left: 2 });
  });

  test("additions at the same place are one that is left, and what only one deleted is gone", () => {
    const mine = BASE.replace("two\n", "two\nmine\n");
    const theirs = BASE.replace("two\n", "two\ntheirs\n").replace("four\n", "");
    expect(merge(BASE, mine, theirs)).toEqual({ text: "one\ntwo\nmine\nthree\nfive\n", left: 1 });
  });

  test("a text without a last line break, or without any line, is one, too", () => {
    expect(merge("a", "a\n", "a")).toEqual({ text: "a\n", left: 0 });
    expect(merge("", "mine", "")).toEqual({ text: "mine", left: 0 });
    expect(merge("a\nb", "a\nb", "")).toEqual({ text: "", left: 0 });
    expect(merge("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n").text).toBe("A\r\nb\r\nC\r\n");
  });

  test("for any texts: who changed nothing takes the other's, and both see the same places", () => {
    for (let seed = 0; seed < 2_000; seed += 1) {
      const next = numbers(seed);
      const base = changed("a\nb\nc\nd\na\nb\n", next);
      const mine = changed(base, next);
      const theirs = changed(base, next);
      const at = `seed ${seed}`;
      expect(merge(base, mine, base), at).toEqual({ text: mine, left: 0 });
      expect(merge(base, base, theirs), at).toEqual({ text: theirs, left: 0 });
      expect(merge(base, mine, mine), at).toEqual({ text: mine, left: 0 });
      const one = merge(base, mine, theirs);
      const other = merge(base, theirs, mine);
      expect(one.left, at).toBe(other.left);
      if (one.left === 0) expect(one.text, at).toBe(other.text);
      // What was put together is kept when it is compared with the same text again.
      expect(merge(theirs, one.text, theirs), at).toEqual({ text: one.text, left: 0 });
    }
  });

  test("for any lines that are there once: changes in different places are all in it", () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const next = numbers(seed);
      const base = Array.from({ length: 30 }, (_, line) => `line ${line}`);
      const [mine, theirs, both] = [[...base], [...base], [...base]];
      for (let line = 0; line < base.length; line += 1 + next(4)) {
        const side = next(2) === 0 ? mine : theirs;
        side[line] = both[line] = `changed ${line}`;
      }
      expect(merge(base.join("\n"), mine.join("\n"), theirs.join("\n")), `seed ${seed}`).toEqual({
        text: both.join("\n"),
        left: 0,
      });
    }
  });

  test("long texts that have nothing in common are no work", () => {
    const many = (word: string) =>
      Array.from({ length: 50_000 }, (_, line) => `${word} ${line % 7}`).join("\n");
    const begun = performance.now();
    expect(merge(many("a"), many("b"), many("c"))).toEqual({ text: many("b"), left: 1 });
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(merge("", "\n".repeat(1_000_000), "").left).toBe(0);
  });
});
