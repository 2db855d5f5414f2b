import { describe, expect, test } from "vitest";
import type { Tool, ToolCall } from "../../protocol/messages.gen";
import { editsOf } from "./edits";

const block = (
  name: string,
  parameters: ToolCall["parameters"],
  state: ToolCall["state"] = "done",
): Tool => ({
  mode: "tool",
  index: 3,
  createdAt: "2026-11-20T10:00:00Z",
  content: { callId: "c", name, parameters, state },
});

const shown = (tool: Tool) =>
  editsOf([tool]).map(({ path, note, lines }) => [
    path,
    note,
    lines.map((line) => `${line.kind} ${line.text}`),
  ]);

describe("what calls changed in files", () => {
  test("an edit shows what is new in it, among what stays", () => {
    const edit = { path: "a.txt", old_string: "one\ntwo\nthree", new_string: "one\n2\n2.5\nthree" };
    expect(shown(block("edit_file", edit))).toEqual([
      ["a.txt", undefined, ["context one", "removed two", "added 2", "added 2.5", "context three"]],
    ]);
  });

  test("files are written, patched, moved and deleted", () => {
    expect(shown(block("write_file", { path: "n.md", content: "# N\n" }))).toEqual([
      ["n.md", "written as a whole", ["added # N"]],
    ]);
    const patch = "--- a/p.txt\n+++ b/p.txt\n@@ -1 +1 @@\n-old\n+new\n";
    expect(shown(block("apply_patch", { patch }))).toEqual([
      ["p.txt", undefined, ["hunk @@ -1 +1 @@", "removed old", "added new"]],
    ]);
    expect(shown(block("move_file", { from: "a", to: "b" }))).toEqual([["b", "moved from a", []]]);
    expect(shown(block("delete_file", { path: "b" }))).toEqual([["b", "deleted", []]]);
  });

  test("a patch between its own marks shows the lines of each of its files", () => {
    const patch = `*** Begin Patch
*** Add File: docs/new.md
+# New

+Text

*** Update File: src/cart.js
@@ count() {
   let sum = 0;
-  return sum;
+  return sum + 1;
*** End of File
*** End Patch

*** Begin Patch
*** Update File: old.txt
*** Move to: deep/new.txt
-two
+2
*** Delete File: gone.txt
*** End Patch
That is all.
`;
    expect(shown(block("apply_patch", { patch }))).toEqual([
      ["docs/new.md", undefined, ["added # New", "added ", "added Text"]],
      [
        "src/cart.js",
        undefined,
        ["hunk @@ count() {", "context   let sum = 0;", "removed   return sum;", "added   return sum + 1;"],
      ],
      ["deep/new.txt", "moved from old.txt", ["removed two", "added 2"]],
      ["gone.txt", "deleted", []],
    ]);
    const bare = patch.replace("*** Begin Patch\n", "").replaceAll("\n", "\r\n");
    expect(shown(block("apply_patch", { patch: bare }))).toHaveLength(4);
  });

  test("what failed, was denied or only reads changed nothing that is known", () => {
    expect(shown(block("write_file", { path: "a", content: "a" }, "failed"))).toEqual([]);
    expect(shown(block("write_file", { path: "a", content: "a" }, "denied"))).toEqual([]);
    expect(shown(block("run_command", { command: "echo > a" }))).toEqual([]);
  });

  test("what a command changed is what the drone saw, also of one that failed", () => {
    const diff =
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n one\n+two\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n";
    for (const state of ["done", "failed"] as const) {
      const tool = block("run_command", { command: "make" }, state);
      expect(shown({ ...tool, content: { ...tool.content, diff } })).toEqual([
        ["a.txt", "by run_command", ["hunk @@ -1 +1,2 @@", "context one", "added two"]],
        ["n", "by run_command", ["note new file mode 100644", "hunk @@ -0,0 +1 @@", "added n"]],
      ]);
    }
  });

  test("a call is read once, however often it is asked for", () => {
    const tool = block("write_file", { path: "a", content: "x\n" });
    const [first] = editsOf([tool]);
    expect(editsOf([{ ...tool, superseded: undefined }])[0]).toBe(first);
    const running = { ...tool, content: { ...tool.content, state: "running" as const } };
    expect(editsOf([running])).toEqual([]);
  });

  test("a long one is cut, and says so", () => {
    const [edit] = editsOf([block("write_file", { path: "a", content: "x\n".repeat(500) })]);
    expect([edit?.lines.length, edit?.more]).toEqual([200, 300]);
  });

  test("S0-52: what a subagent changes is seen as it changes it, and as a whole when its call is over", () => {
    const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n";
    const call = (part: Partial<ToolCall>): Tool => {
      const tool = block("delegate", { task: "Mend it." }, "running");
      return { ...tool, content: { ...tool.content, callId: "d", ...part } };
    };
    const writes = (path: string): Tool => ({
      ...block("write_file", { path, content: "new\n" }),
      parent: "d",
    });
    const paths = (tool: Tool) =>
      editsOf([tool, writes("a.txt"), writes("b.txt")]).map(({ path, note }) => [path, note]);
    expect(paths(call({}))).toEqual([
      ["a.txt", "written as a whole"],
      ["b.txt", "written as a whole"],
    ]);
    expect(paths(call({ state: "done", diff }))).toEqual([
      ["b.txt", "written as a whole"],
      ["a.txt", "by delegate"],
    ]);
  });
});
