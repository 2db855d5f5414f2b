package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.policy.PathRefusedException;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
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

    @Test
    @DisplayName("the list of what is to be done is checked line by line")
    void todos() throws Exception {
        assertThat(run(new TodoTool(), "items", "[x] one\n- [>] two\n[ ] three").text())
                .contains("1 of 3 done");
        assertThat(run(new TodoTool(), "items", "[x] one\ntwo").text()).contains("`two` is not an item");
        assertThat(run(new TodoTool(), "items", " ").text()).contains("empty");
    }
}
