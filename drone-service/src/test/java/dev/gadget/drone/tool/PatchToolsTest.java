package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patches, moves and deletions of files. */
class PatchToolsTest {
    @TempDir
    Path directory;

    private ToolResult run(Tool tool, String... pairs) throws Exception {
        try {
            return tool.run(invocation(pairs));
        } catch (ToolFailedException | PathRefusedException e) {
            return ToolResult.failed(String.valueOf(e.getMessage()));
        }
    }

    private ToolInvocation invocation(String... pairs) throws IOException {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(pairs[i], pairs[i + 1]);
        }
        return new ToolInvocation("c", parameters, new Workspace(directory), text -> {}, new CancelSignal());
    }

    private void write(String path, String content) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String read(String path) throws IOException {
        return Files.readString(directory.resolve(path));
    }

    @Test
    @DisplayName("A9: a patch whose files cannot all be is refused before anything is written, or says what is written")
    void allOrNone() throws Exception {
        String add = "--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+1\n";
        ToolResult above = run(new ApplyPatchTool(), "patch", add.formatted("d") + add.formatted("d/e"));
        assertThat(above.ok()).isFalse();
        assertThat(above.text()).contains("`d` above it is a file of this patch", "Nothing was changed.");
        assertThat(directory.resolve("d")).doesNotExist();

        ToolResult broken = run(new ApplyPatchTool(), "patch", add.formatted("d") + add.formatted("n".repeat(300)));
        assertThat(broken.ok()).isFalse();
        assertThat(broken.text()).startsWith("`d` (new) is written already; then `nnn");
        assertThat(read("d")).isEqualTo("1\n");
    }

    @Test
    @DisplayName("a patch changes, makes and deletes files, whatever its line counts say, and all or nothing")
    void patch() throws Exception {
        write("a.txt", "one\ntwo\nthree\nfour\n");
        write("gone.txt", "bye\n");
        String patch = """
                diff --git a/a.txt b/a.txt
                --- a/a.txt
                +++ b/a.txt
                @@ -1,99 +1,7 @@
                 one
                -two
                +2
                +2b
                 three
                --- /dev/null
                +++ b/deep/new.txt
                @@ -0,0 +1 @@
                +made
                --- a/gone.txt
                +++ /dev/null
                @@ -1 +0,0 @@
                -bye
                """;
        ApplyPatchTool tool = new ApplyPatchTool();
        assertThat(tool.changes(Map.of("patch", patch))).containsExactly("a.txt", "deep/new.txt", "gone.txt");
        assertThat(run(tool, "patch", patch))
                .isEqualTo(ToolResult.done("Patched `a.txt`, `deep/new.txt` (new), `gone.txt` (deleted)."));
        assertThat(read("a.txt")).isEqualTo("one\n2\n2b\nthree\nfour\n");
        assertThat(read("deep/new.txt")).isEqualTo("made\n");
        assertThat(directory.resolve("gone.txt")).doesNotExist();
        assertThat(tool.alreadyDone(invocation("patch", patch))).isPresent();
        write("a.txt", "one\ntwo\nthree\nfour\n");
        assertThat(tool.alreadyDone(invocation("patch", patch))).isEmpty();
    }

    @Test
    @DisplayName("a hunk that does not fit leaves every file as it was, and says which one it is")
    void misfit() throws Exception {
        write("a.txt", "one\ntwo\n");
        write("b.txt", "x\n");
        ToolResult result = run(
                new ApplyPatchTool(),
                "patch",
                "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-y\n+z\n");
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("`b.txt`", "Nothing was changed");
        assertThat(read("a.txt")).isEqualTo("one\ntwo\n");
        assertThat(run(new ApplyPatchTool(), "patch", "just words").text()).contains("names no file");
        assertThat(run(new ApplyPatchTool(), "patch", "--- a/no.txt\n+++ b/no.txt\n@@ -1 +1 @@\n-y\n+z\n")
                        .text())
                .contains("does not exist");
        assertThat(run(new ApplyPatchTool(), "patch", "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+z\n")
                        .text())
                .contains("exists already");
    }

    @Test
    @DisplayName("a hunk whose lines are not there is refused, also where it has next to no lines around it")
    void nothingAround() throws Exception {
        write("a.txt", "one\ntwo\nthree\n");
        for (String hunk : new String[] {
            "@@ -1 +1,2 @@\n+new\n missing\n",
            "@@ -3,1 +3,2 @@\n missing\n+new\n",
            "@@ -1,3 +1,4 @@\n one\n two\n+new\n other\n",
        }) {
            ToolResult result = run(new ApplyPatchTool(), "patch", "--- a/a.txt\n+++ b/a.txt\n" + hunk);
            if (result.ok()) {
                assertThat(read("a.txt")).as(hunk).contains("new\n");
            } else {
                assertThat(result.text()).as(hunk).contains("does not fit");
                assertThat(read("a.txt")).isEqualTo("one\ntwo\nthree\n");
            }
        }
        assertThat(run(new ApplyPatchTool(), "patch", "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n+new\n missing\n")
                        .text())
                .contains("does not fit");
    }

    @Test
    @DisplayName("line ends of the file are kept, and a hunk that moved a few lines is found")
    void fuzzy() throws Exception {
        write("w.txt", "zero\r\none\r\ntwo\r\nthree\r\n");
        assertThat(run(
                                new ApplyPatchTool(),
                                "patch",
                                "--- a/w.txt\n+++ b/w.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")
                        .ok())
                .isTrue();
        assertThat(read("w.txt")).isEqualTo("zero\r\none\r\n2\r\nthree\r\n");
    }

    @Test
    @DisplayName("A9, A10: a patch reaches neither outside nor git nor the drone's own folder")
    void outside() throws Exception {
        for (String path : new String[] {"../x.txt", "/etc/x", ".git/hooks/pre-commit", ".gadget/policy.json"}) {
            ToolResult result =
                    run(new ApplyPatchTool(), "patch", "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n");
            assertThat(result.ok()).as(path).isFalse();
            assertThat(directory.resolve(path)).doesNotExist();
        }
    }

    @Test
    @DisplayName("move and delete, and what they refuse")
    void moveAndDelete() throws Exception {
        write("a.txt", "a");
        write("dir/b.txt", "b");
        assertThat(run(new MoveFileTool(), "from", "a.txt", "to", "new/place/a.txt")
                        .text())
                .contains("Moved `a.txt`");
        assertThat(read("new/place/a.txt")).isEqualTo("a");
        assertThat(new MoveFileTool().alreadyDone(invocation("from", "a.txt", "to", "new/place/a.txt")))
                .isPresent();
        assertThat(run(new MoveFileTool(), "from", "dir", "to", "moved").ok()).isTrue();
        assertThat(read("moved/b.txt")).isEqualTo("b");
        assertThat(run(new MoveFileTool(), "from", "moved/b.txt", "to", "new/place/a.txt")
                        .text())
                .contains("exists already");
        assertThat(run(new MoveFileTool(), "from", "moved", "to", "moved/in").text())
                .contains("inside of it");
        assertThat(run(new MoveFileTool(), "from", "nothing", "to", "x").text()).contains("does not exist");
        assertThat(run(new MoveFileTool(), "from", "moved/b.txt", "to", "../b.txt")
                        .text())
                .contains("outside the workspace");
        assertThat(run(new DeleteFileTool(), "path", "moved").text()).contains("is a directory");
        assertThat(run(new DeleteFileTool(), "path", "moved/b.txt").ok()).isTrue();
        assertThat(directory.resolve("moved/b.txt")).doesNotExist();
        assertThat(run(new DeleteFileTool(), "path", "moved/b.txt").text()).contains("does not exist");
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc/hostname"));
        assertThat(run(new DeleteFileTool(), "path", "link").text()).contains("outside the workspace");
        assertThat(Path.of("/etc/hostname")).exists();
    }

    private static String patch(String path, String... hunks) {
        return "--- a/" + path + "\n+++ b/" + path + "\n" + String.join("", hunks);
    }

    private void becomes(String before, String patch, String after) throws Exception {
        write("f.txt", before);
        ApplyPatchTool tool = new ApplyPatchTool();
        assertThat(run(tool, "patch", patch)).as(patch).isEqualTo(ToolResult.done("Patched `f.txt`."));
        assertThat(read("f.txt")).as(patch).isEqualTo(after);
    }

    @Test
    @DisplayName("sections for one file, however it is called, go on from each other, and it is named once")
    void sections() throws Exception {
        write("a.txt", "one\ntwo\nthree\nfour\n");
        ApplyPatchTool tool = new ApplyPatchTool();
        String patch = patch("a.txt", "@@ -1,2 +1,3 @@\n one\n+more\n two\n")
                + "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+made\n"
                + patch("a.txt", "@@ -3,2 +4,2 @@\n three\n-four\n+4\n")
                + patch("new.txt", "@@ -1 +1,2 @@\n made\n+too\n");
        assertThat(tool.changes(Map.of("patch", patch))).containsExactly("a.txt", "new.txt");
        assertThat(tool.alreadyDone(invocation("patch", patch))).isEmpty();
        assertThat(run(tool, "patch", patch)).isEqualTo(ToolResult.done("Patched `a.txt`, `new.txt` (new)."));
        assertThat(read("a.txt")).isEqualTo("one\nmore\ntwo\nthree\n4\n");
        assertThat(read("new.txt")).isEqualTo("made\ntoo\n");
        assertThat(tool.alreadyDone(invocation("patch", patch))).isPresent();
        write("a.txt", "one\nmore\ntwo\nthree\nfour\n");
        assertThat(tool.alreadyDone(invocation("patch", patch))).isEmpty();

        Files.createSymbolicLink(directory.resolve("link"), Path.of("a.txt"));
        assertThat(run(
                                tool,
                                "patch",
                                patch("./a.txt", "@@ -1 +1 @@\n-one\n+1\n") + patch("link", "@@ -3 +3 @@\n-two\n+2\n"))
                        .ok())
                .isTrue();
        assertThat(read("a.txt")).isEqualTo("1\nmore\n2\nthree\nfour\n");
    }

    @Test
    @DisplayName(
            "a later section for a file is taken by its own numbers, of the file before the patch or after the section before")
    void sectionsAmongEqualLines() throws Exception {
        String before = "a\nx\nx\nx\nx\nx\nz\n";
        String adds = "@@ -1 +1,2 @@\n a\n+b\n";
        for (String second : new String[] {"@@ -5 +6 @@\n-x\n+y\n", "@@ -6 +6 @@\n-x\n+y\n"}) {
            String patch = patch("f.txt", adds) + patch("f.txt", second);
            becomes(before, patch, "a\nb\nx\nx\nx\ny\nx\nz\n");
            assertThat(new ApplyPatchTool().alreadyDone(invocation("patch", patch)))
                    .as(second)
                    .isPresent();
        }
    }

    @Test
    @DisplayName("sections that contradict each other change nothing, and it is told what to do")
    void contradictions() throws Exception {
        write("a.txt", "one\n");
        String gone = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";
        String made = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n";
        for (String patch : new String[] {
            gone + patch("a.txt", "@@ -1 +1 @@\n-one\n+1\n"), gone + made.replace("new.txt", "a.txt"), made + made
        }) {
            ToolResult result = run(new ApplyPatchTool(), "patch", patch);
            assertThat(result.ok()).as(patch).isFalse();
            assertThat(result.text()).contains("one section", "Nothing was changed");
            assertThat(read("a.txt")).isEqualTo("one\n");
            assertThat(directory.resolve("new.txt")).doesNotExist();
        }
        assertThat(run(new ApplyPatchTool(), "patch", patch("a.txt", "@@ -1 +1 @@\n-one\n+1\n") + gone + gone))
                .isEqualTo(ToolResult.done("Patched `a.txt` (deleted)."));
        assertThat(directory.resolve("a.txt")).doesNotExist();
    }

    @Test
    @DisplayName("a file that is not UTF-8 is not patched, but can be deleted")
    void notUtf8() throws Exception {
        byte[] latin = "caf\u00e9\none\n".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(directory.resolve("latin.txt"), latin);
        ToolResult result = run(new ApplyPatchTool(), "patch", patch("latin.txt", "@@ -2 +2 @@\n-one\n+1\n"));
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("`latin.txt` is not UTF-8 text");
        assertThat(Files.readAllBytes(directory.resolve("latin.txt"))).isEqualTo(latin);
        assertThat(run(new ApplyPatchTool(), "patch", "--- a/latin.txt\n+++ /dev/null\n@@ -2 +0,0 @@\n-one\n")
                        .ok())
                .isTrue();
        assertThat(directory.resolve("latin.txt")).doesNotExist();
    }

    @Test
    @DisplayName("among equal lines a hunk is taken by its number, whatever the hunks before it add or remove")
    void equalLines() throws Exception {
        String before = "a\nx\nx\nx\nx\nx\nz\n";
        String adds = "@@ -1 +1,2 @@\n a\n+b\n";
        becomes(before, patch("f.txt", adds, "@@ -5 +6 @@\n-x\n+y\n"), "a\nb\nx\nx\nx\ny\nx\nz\n");
        // The numbers count, not the order.
        becomes(before, patch("f.txt", "@@ -5 +6 @@\n-x\n+y\n", adds), "a\nb\nx\nx\nx\ny\nx\nz\n");
        becomes(
                before,
                patch("f.txt", "@@ -1,2 +0,0 @@\n-a\n-x\n", "@@ -4 +2 @@\n-x\n+y\n", "@@ -6 +4,2 @@\n-x\n+1\n+2\n"),
                "x\ny\nx\n1\n2\nz\n");
        // Two lines were put before it, and one more between the hunks.
        becomes(
                "new\nnew\na\nx\nx\nx\nx\nx\nz\n",
                patch("f.txt", adds, "@@ -5 +6 @@\n-x\n+y\n"),
                "new\nnew\na\nb\nx\nx\nx\ny\nx\nz\n");
        becomes(
                "new\na\nx\nx\nnew\nx\nx\nx\nz\n",
                patch("f.txt", adds, "@@ -5,3 +6,3 @@\n x\n-x\n+y\n z\n"),
                "new\na\nb\nx\nx\nnew\nx\nx\ny\nz\n");
    }

    @Test
    @DisplayName("a hunk is found in a file that became shorter, however far behind its end the number is")
    void behindTheEnd() throws Exception {
        for (String number : new String[] {"4", "5", "9", "999999999"}) {
            becomes("1\n2\n3\n", patch("f.txt", "@@ -" + number + " +" + number + " @@\n-3\n+x\n"), "1\n2\nx\n");
        }
        becomes(
                "1\n2\n3\n",
                patch("f.txt", "@@ -1 +1,2 @@\n-1\n+a\n+b\n", "@@ -7,2 +8,2 @@\n 2\n-3\n+x\n"),
                "a\nb\n2\nx\n");
    }

    @Test
    @DisplayName("hunks without old lines go in after the line that they name")
    void insertions() throws Exception {
        becomes("1\n2\n3\n", patch("f.txt", "@@ -2,0 +3 @@\n+new\n"), "1\n2\nnew\n3\n");
        becomes("1\n2\n3\n", patch("f.txt", "@@ -0,0 +1 @@\n+new\n"), "new\n1\n2\n3\n");
        becomes("1\n2\n3\n", patch("f.txt", "@@ -3,0 +4 @@\n+new\n"), "1\n2\n3\nnew\n");
        becomes(
                "1\n2\n3\n4\n",
                patch("f.txt", "@@ -1,0 +2,2 @@\n+a\n+b\n", "@@ -2 +3,0 @@\n-2\n", "@@ -3,0 +5 @@\n+c\n"),
                "1\na\nb\n3\nc\n4\n");
        // Models number the first line of an empty file.
        becomes("", patch("f.txt", "@@ -1,0 +1,1 @@\n+new\n"), "new\n");
        becomes("1\n2\n", patch("f.txt", "@@ -9,0 +10 @@\n+new\n"), "1\n2\nnew\n");
        String patch = patch("f.txt", "@@ -1,0 +2 @@\n+a\n", "@@ -3 +3,0 @@\n-3\n");
        becomes("1\n2\n3\n4\n", patch, "1\na\n2\n4\n");
        assertThat(new ApplyPatchTool().alreadyDone(invocation("patch", patch))).isPresent();
    }

    @Test
    @DisplayName("lines that look like the head of a section get the line ends of the file, too")
    void headsInside() throws Exception {
        String patch = patch("f.txt", "@@ -1,3 +1,3 @@\n a\n--- remark\n+++ i;\n b\n");
        becomes("a\r\n-- remark\r\nb\r\n", patch, "a\r\n++ i;\r\nb\r\n");
        assertThat(new ApplyPatchTool().alreadyDone(invocation("patch", patch))).isPresent();
    }

    @Test
    @DisplayName("a link is deleted and moved itself, and what it leads to stays")
    void links() throws Exception {
        Path root = directory.toRealPath();
        write("a.txt", "a");
        write("dir/b.txt", "b");
        for (String target : new String[] {"a.txt", "dir", "nothing"}) {
            Path link = Files.createSymbolicLink(root.resolve("link"), Path.of(target));
            assertThat(new DeleteFileTool().alreadyDone(invocation("path", "link")))
                    .isEmpty();
            assertThat(run(new MoveFileTool(), "from", "link", "to", "moved"))
                    .isEqualTo(ToolResult.done("Moved `link` to `moved`."));
            assertThat(Files.isSymbolicLink(link)).isFalse();
            assertThat(Files.readSymbolicLink(root.resolve("moved"))).hasToString(target);
            assertThat(new MoveFileTool().alreadyDone(invocation("from", "link", "to", "moved")))
                    .isPresent();
            assertThat(run(new DeleteFileTool(), "path", "moved")).isEqualTo(ToolResult.done("Deleted `moved`."));
            assertThat(Files.isSymbolicLink(root.resolve("moved"))).isFalse();
            assertThat(new DeleteFileTool().alreadyDone(invocation("path", "moved")))
                    .isPresent();

            Files.createSymbolicLink(link, Path.of(target));
            String patch = "--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
            assertThat(new ApplyPatchTool().alreadyDone(invocation("patch", patch)))
                    .isEmpty();
            assertThat(run(new ApplyPatchTool(), "patch", patch))
                    .isEqualTo(ToolResult.done("Patched `link` (deleted)."));
            assertThat(Files.isSymbolicLink(link)).isFalse();
            assertThat(new ApplyPatchTool().alreadyDone(invocation("patch", patch)))
                    .isPresent();
        }
        assertThat(read("a.txt")).isEqualTo("a");
        assertThat(read("dir/b.txt")).isEqualTo("b");
        assertThat(run(new ApplyPatchTool(), "patch", "--- a/dir\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
                        .text())
                .contains("is a directory");

        Files.createSymbolicLink(root.resolve("link"), Path.of("nothing"));
        assertThat(run(new MoveFileTool(), "from", "a.txt", "to", "link").text())
                .contains("exists already");
        Files.createSymbolicLink(root.resolve("in"), Path.of("dir"));
        assertThat(run(new DeleteFileTool(), "path", "in/b.txt").ok()).isTrue();
        assertThat(root.resolve("dir/b.txt")).doesNotExist();
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc"));
        for (String outside : new String[] {"out", "out/hostname"}) {
            assertThat(run(new DeleteFileTool(), "path", outside).text()).contains("outside the workspace");
            assertThat(run(new MoveFileTool(), "from", outside, "to", "x").text())
                    .contains("outside the workspace");
            assertThat(run(new MoveFileTool(), "from", "a.txt", "to", outside).text())
                    .contains("outside the workspace");
            assertThat(run(new ApplyPatchTool(), "patch", "--- a/" + outside + "\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
                            .text())
                    .contains("outside the workspace");
        }
        assertThat(Files.isSymbolicLink(root.resolve("out"))).isTrue();
    }

    @Test
    @DisplayName("the list of what is to be done is checked line by line")
    void todos() throws Exception {
        assertThat(run(new TodoTool(), "items", "[x] one\n- [>] two\n[ ] three").text())
                .contains("1 of 3 done");
        assertThat(run(new TodoTool(), "items", "[x] one\ntwo").text()).contains("`two` is not an item");
        assertThat(run(new TodoTool(), "items", " ").text()).contains("empty");
    }
}
