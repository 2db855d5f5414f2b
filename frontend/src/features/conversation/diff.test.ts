import { describe, expect, it } from "vitest";
import { readDiff } from "./diff";

const GIT = `diff --git a/src/cart.js b/src/cart.js
index 1..2 100644
--- a/src/cart.js
+++ b/src/cart.js
@@ -3,3 +3,4 @@ function total() {
 same
-old
--- looks like a header
+new
+newer
\\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
`;

describe("a unified diff", () => {
  it("is read as files with numbered lines", () => {
    const files = readDiff(GIT);
    expect(files.map((file) => [file.path, file.note])).toEqual([
      ["src/cart.js", undefined],
      ["gone.txt", "deleted"],
      ["logo.png", "not text"],
    ]);
    expect(files[0]?.lines.map((line) => [line.kind, line.text, line.before, line.after])).toEqual([
      ["hunk", "@@ -3,3 +3,4 @@ function total() {", undefined, undefined],
      ["same", "same", 3, 3],
      ["removed", "old", 4, undefined],
      ["removed", "-- looks like a header", 5, undefined],
      ["added", "new", undefined, 4],
      ["added", "newer", undefined, 5],
    ]);
  });

  it("is read without git's own header, as a preview comes", () => {
    const files = readDiff(
      "--- a/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/y.txt\n@@ -0,0 +1 @@\n+c\n",
    );
    expect(files.map((file) => file.path)).toEqual(["x.txt", "y.txt"]);
    expect(files[1]?.lines.at(-1)).toMatchObject({ kind: "added", text: "c", after: 1 });
  });

  it("shows text that is no diff at all as a note", () => {
    expect(readDiff("")).toEqual([]);
    expect(readDiff("… the diff is longer than this …")[0]?.note).toContain("longer");
  });
});
