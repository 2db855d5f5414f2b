import { describe, expect, test } from "vitest";
import { type DiffFile, readDiff } from "./diff";
import { type Hunk, hunksOf, pairsOf, textBefore, without } from "./hunks";

const fileOf = (diff: string) => readDiff(diff)[0] as DiffFile;
const BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const AFTER = "one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnew\nnine\n";
const FILE = fileOf(`diff --git a/a b/a
index 1..2 100644
--- a/a
+++ b/a
@@ -1,5 +1,5 @@
 one
-two
+2
 three
 four
 five
@@ -6,5 +6,5 @@ five
 six
 seven
 eight
+new
 nine
-ten
`);

describe("putting back", () => {
  test("one hunk, the other, or both", () => {
    const [first, second] = hunksOf(FILE.lines) as [Hunk, Hunk];
    expect(without(AFTER, [first])).toBe(AFTER.replace("2\n", "two\n"));
    expect(without(AFTER, [second])).toBe(BEFORE.replace("two\n", "2\n"));
    expect(without(AFTER, hunksOf(FILE.lines))).toBe(BEFORE);
  });

  test("a text that is another one by now is left alone", () => {
    const [first, second] = hunksOf(FILE.lines) as [Hunk, Hunk];
    expect(without(`zero\n${AFTER}`, [first])).toBeNull();
    expect(without(AFTER.replace("nine\n", ""), [second])).toBeNull();
    expect(without("", [first])).toBeNull();
    expect(without(AFTER.replaceAll("\n", "\r\n"), [first])).toBeNull();
  });

  test("the line feed at the end comes and goes as it was", () => {
    const file = fileOf("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n");
    expect(without("a\nc\n", hunksOf(file.lines))).toBe("a\nb");
    const gone = fileOf("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
    expect(without("a", hunksOf(gone.lines))).toBe("a\n");
    expect(without("a\n", hunksOf(gone.lines))).toBeNull();
  });

  test("hunks that only take away or only add know their place", () => {
    const taken = fileOf("--- a/a\n+++ b/a\n@@ -2,2 +1,0 @@\n-two\n-three\n");
    expect(without("one\nfour\n", hunksOf(taken.lines))).toBe("one\ntwo\nthree\nfour\n");
    const added = fileOf("--- a/a\n+++ b/a\n@@ -1,0 +2 @@\n+two\n");
    expect(without("one\ntwo\n", hunksOf(added.lines))).toBe("one\n");
    const emptied = fileOf("--- a/a\n+++ b/a\n@@ -1,2 +0,0 @@\n-one\n-two\n");
    expect(without("", hunksOf(emptied.lines))).toBe("one\ntwo\n");
  });

  test("a file that is gone has its text in the diff", () => {
    const file = fileOf(
      "diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n\\ No newline at end of file\n",
    );
    expect(textBefore(file)).toBe("one\ntwo");
  });
});

describe("side by side", () => {
  test("what was removed stands beside what came in its place, and no line is lost", () => {
    const shown = pairsOf(FILE.lines).map(({ across, before, after }) =>
      across ? across.kind : `${before?.text ?? ""}|${after?.text ?? ""}`,
    );
    expect(shown).toEqual([
      "hunk",
      "one|one",
      "two|2",
      "three|three",
      "four|four",
      "five|five",
      "hunk",
      "six|six",
      "seven|seven",
      "eight|eight",
      "|new",
      "nine|nine",
      "ten|",
    ]);
  });
});
