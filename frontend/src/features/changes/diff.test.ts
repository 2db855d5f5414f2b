import { expect, it } from "vitest";
import { readDiff } from "./diff";

const parseDiff = (diff: string) => readDiff(diff).flatMap((file) => file.lines);

it("knows where each line stands, before and after", () => {
  const lines = parseDiff(`diff --git a/a b/a
index 1..2 100644
--- a/a
+++ b/a
@@ -1,3 +1,3 @@ class A
 one
-two
+2
 three
@@ -9 +9,2 @@
 nine
+--- ten
\\ No newline at end of file
`);
  expect(lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ["hunk", "@@ -1,3 +1,3 @@ class A", null, null],
    ["context", "one", 1, 1],
    ["removed", "two", 2, null],
    ["added", "2", null, 2],
    ["context", "three", 3, 3],
    ["hunk", "@@ -9 +9,2 @@", null, null],
    ["context", "nine", 9, 9],
    ["added", "--- ten", null, 10],
    ["note", "No newline at end of file", null, null],
  ]);
});

it("says that a file is binary, or new and empty", () => {
  const kinds = (diff: string) => parseDiff(diff).map((line) => line.text);
  expect(kinds("diff --git a/i b/i\nnew file mode 100644\nBinary files /dev/null and b/i differ\n")).toEqual([
    "new file mode 100644",
    "Binary files /dev/null and b/i differ",
  ]);
  expect(kinds("")).toEqual([]);
});

it("is read file by file, with git's header or without", () => {
  const paths = (diff: string) => readDiff(diff).map((file) => [file.path, file.lines.length]);
  expect(
    paths(
      "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n",
    ),
  ).toEqual([
    ["x", 3],
    ["gone", 3],
  ]);
  expect(
    paths("--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y.txt\n@@ -0,0 +1 @@\n+c\n"),
  ).toEqual([
    ["x.txt", 3],
    ["y.txt", 2],
  ]);
  expect(paths("… the diff is longer than this …")).toEqual([["", 1]]);
});
