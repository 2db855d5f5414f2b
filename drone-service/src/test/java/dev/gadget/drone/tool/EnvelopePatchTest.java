package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.policy.PathRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Patches between *** Begin Patch and *** End Patch")
class EnvelopePatchTest {
    private static final String CART = """
            class Cart {
                int total() {
                    int sum = 0;
                    return sum;
                }

                int count() {
                    int sum = 0;
                    return sum;
                }
            }
            """;

    @TempDir
    Path directory;

    private final ApplyPatchTool tool = new ApplyPatchTool();

    @BeforeEach
    void files() throws IOException {
        write("src/Cart.java", CART);
        write("old.txt", "one\ntwo\nthree\n");
    }

    private void write(String path, String content) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String read(String path) throws IOException {
        return Files.readString(directory.resolve(path));
    }

    private ToolResult apply(String patch) throws Exception {
        return new ToolBench(directory).run(tool, Map.of("input", patch));
    }

    private boolean done(String patch) throws IOException {
        ToolBench bench = new ToolBench(directory);
        return tool.alreadyDone(bench.call(tool, Map.of("patch", patch))).isPresent();
    }

    private static String update(String path, String rows) {
        return "*** Begin Patch\n*** Update File: " + path + "\n" + rows + "*** End Patch\n";
    }

    @Test
    @DisplayName("add, change, move and delete files, all at once, and tell before what would come of it")
    void everything() throws Exception {
        String patch = """
                *** Begin Patch
                *** Add File: docs/new.md
                +# New
                +
                +Text
                *** Update File: src/Cart.java
                @@ int count() {
                -        int sum = 0;
                +        int sum = 1;
                         return sum;
                *** Update File: old.txt
                *** Move to: deep/new.txt
                @@
                 one
                -two
                +2
                *** End Patch""";
        ToolBench bench = new ToolBench(directory);
        assertThat(tool.changes(Map.of("patch", patch)))
                .containsExactly("docs/new.md", "src/Cart.java", "old.txt", "deep/new.txt");
        assertThat(tool.places(bench.workspace, Map.of("patch", patch))).hasSize(4);
        assertThat(tool.preview(bench.call(tool, Map.of("patch", patch))).orElseThrow())
                .contains("+++ b/docs/new.md", "-        int sum = 0;", "--- a/old.txt\n+++ /dev/null", "+2");
        assertThat(done(patch)).isFalse();

        assertThat(apply(patch))
                .isEqualTo(ToolResult.done("Patched `docs/new.md` (new), `src/Cart.java`, `old.txt` (deleted),"
                        + " `deep/new.txt` (new)."));
        assertThat(read("docs/new.md")).isEqualTo("# New\n\nText\n");
        assertThat(read("src/Cart.java"))
                .isEqualTo(CART.replace("count() {\n        int sum = 0;", "count() {\n        int sum = 1;"));
        assertThat(read("deep/new.txt")).isEqualTo("one\n2\nthree\n");
        assertThat(directory.resolve("old.txt")).doesNotExist();
        assertThat(done(patch)).isTrue();

        assertThat(apply("*** Begin Patch\n*** Delete File: deep/new.txt\n*** End Patch")
                        .ok())
                .isTrue();
        assertThat(directory.resolve("deep/new.txt")).doesNotExist();
    }

    @Test
    @DisplayName(
            "several changes of one file, one at its end, with numbers as a diff has them, and blanks that were lost")
    void severalChanges() throws Exception {
        assertThat(apply(update("old.txt", "@@ -1,2 +1,2 @@\n-one\n+1\n two  \n@@\n three\n+four\n*** End of File\n"))
                        .ok())
                .isTrue();
        assertThat(read("old.txt")).isEqualTo("1\ntwo\nthree\nfour\n");
        assertThat(apply(update("old.txt", "+five\n")).ok()).isTrue();
        assertThat(read("old.txt")).isEqualTo("1\ntwo\nthree\nfour\nfive\n");
        assertThat(apply(update(
                                "src/Cart.java",
                                "@@ class Cart {\n@@ int total() {\n-int sum = 0;\n+        int sum = 7;\n\n@@ int count() {\n"
                                        + "         int sum = 0;\n-        return sum;\n+        return 9;\n\n"))
                        .ok())
                .isTrue();
        assertThat(read("src/Cart.java"))
                .contains("int sum = 7;\n        return sum;", "int sum = 0;\n        return 9;");
    }

    @Test
    @DisplayName("what stays keeps its own blanks and line breaks, and what comes has those of the file")
    void lineBreaks() throws Exception {
        write("win.txt", "one\r\ntwo  \r\nthree");
        assertThat(apply(update("win.txt", " one\n two\n-three\n+3\n+4\n")).ok())
                .isTrue();
        assertThat(read("win.txt")).isEqualTo("one\r\ntwo  \r\n3\r\n4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "*** Update File: src/Cart.java|@@|         int sum = 0;|+x ~ fits in 2 places, from lines 3, 8",
                "*** Update File: src/Cart.java|-        int sun = 0; ~ The nearest lines are",
                "*** Update File: src/Cart.java|@@ int none()|+x ~ is not in `src/Cart.java`",
                "*** Update File: src/Cart.java|int sum = 0; ~ each line of a change begins with",
                "*** Update File: cart.java|+x ~ There is `src/Cart.java`",
                "*** Update File: src|+x ~ is a directory",
                "*** Update File: old.txt|*** Move to: src/Cart.java ~ exists already",
                "*** Add File: old.txt|+x ~ exists already",
                "*** Add File: new.txt|x ~ begins with `+`",
                "*** Delete File: none.txt ~ does not exist",
                "*** Delete File: old.txt|-one ~ has no lines",
                "*** Add File: ../out.txt|+x ~ outside the workspace",
                "*** Update File: old.txt|*** Move to: /tmp/out.txt|+x ~ outside the workspace",
                "*** Add File: .git/hooks/pre-commit|+x ~ .git"
            })
    @DisplayName("A9: what does not fit, or is not allowed, leaves every file as it was and says what to do")
    void refused(String rows, String why) throws Exception {
        String patch = "*** Begin Patch\n*** Update File: old.txt\n-one\n+1\n"
                + rows.strip().replace("|", "\n") + "\n*** End Patch\n";
        ToolResult result = apply(patch);
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains(why.strip());
        assertThat(read("old.txt")).isEqualTo("one\ntwo\nthree\n");
        assertThat(read("src/Cart.java")).isEqualTo(CART);
    }

    @Test
    @DisplayName("several in one call are applied together, with what models write between and behind them")
    void several() throws Exception {
        String patch = "```\n" + update("old.txt", "-one\n+1\n") + "\n"
                + "*** Begin Patch\n*** Add File: new.txt\n+x\n*** End Patch\n"
                + "*** Update File: src/Cart.java\n@@ int count() {\n-        int sum = 0;\n+        int sum = 1;\n"
                + "*** End Patch\n```\nThat is all.\n";

        assertThat(tool.changes(Map.of("patch", patch))).containsExactly("old.txt", "new.txt", "src/Cart.java");
        assertThat(apply(patch).text()).isEqualTo("Patched `old.txt`, `new.txt` (new), `src/Cart.java`.");
        assertThat(read("old.txt")).isEqualTo("1\ntwo\nthree\n");
        assertThat(read("new.txt")).isEqualTo("x\n");
        assertThat(read("src/Cart.java")).contains("count() {\n        int sum = 1;");
        assertThat(done(patch)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"+four", "-two", "@@ int count() {", "*** Move to: x.txt", "--- a/old.txt"})
    @DisplayName("a line of a change behind the end is refused, not dropped without a word")
    void behindTheEnd(String row) throws Exception {
        ToolResult result = apply(update("old.txt", "-one\n+1\n") + row + "\n");
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("`" + row + "` behind `*** End Patch`");
        assertThat(read("old.txt")).isEqualTo("one\ntwo\nthree\n");
    }

    @Test
    @DisplayName(
            "a new file keeps its blank lines, whether or not they have their sign, but not those before the next mark")
    void blankLines() throws Exception {
        String patch =
                "*** Begin Patch\n*** Add File: a.txt\n+a\n\n+\n+b\n\n\n*** Add File: b.txt\n+c\n+\n\n*** End Patch";
        assertThat(apply(patch).ok()).isTrue();
        assertThat(read("a.txt")).isEqualTo("a\n\n\nb\n");
        assertThat(read("b.txt")).isEqualTo("c\n\n");
        assertThat(done(patch)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"d,d/e", "d/e,d", "d,d/e/f"})
    @DisplayName("A9: a file where another one needs a directory is refused before anything is written")
    void fileAbove(String one, String other) throws Exception {
        ToolResult result =
                apply("*** Begin Patch\n*** Add File: " + one + "\n+1\n*** Add File: " + other + "\n+2\n*** End Patch");
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("is a file of this patch", "Nothing was changed.");
        assertThat(directory.resolve(one)).doesNotExist();
    }

    @Test
    @DisplayName("what cannot be written after others were says what is written")
    void brokenOnTheWay() throws Exception {
        // More bytes than a name may have: nothing tells before it is written.
        String longer = "n".repeat(240);
        String rows = "*** Add File: d.txt\n+1\n*** Add File: " + longer + "/" + "n".repeat(300) + "\n+2\n";
        ToolResult result = apply("*** Begin Patch\n" + rows + "*** End Patch");
        assertThat(result.ok()).isFalse();
        assertThat(result.text())
                .startsWith("`d.txt` (new) is written already; then `" + longer)
                .contains(" could not be (", "). What is not named here was not changed.");
        assertThat(read("d.txt")).isEqualTo("1\n");
    }

    @Test
    @DisplayName("a file that is moved may be executed as before")
    void executable() throws Exception {
        write("run.sh", "echo 1\n");
        assertThat(directory.resolve("run.sh").toFile().setExecutable(true)).isTrue();
        assertThat(apply("*** Begin Patch\n*** Update File: run.sh\n*** Move to: bin/run.sh\n-echo 1\n+echo 2\n"
                                + "*** Update File: old.txt\n*** Move to: new.txt\n one\n*** End Patch")
                        .ok())
                .isTrue();
        assertThat(read("bin/run.sh")).isEqualTo("echo 2\n");
        assertThat(directory.resolve("bin/run.sh")).isExecutable();
        assertThat(Files.isExecutable(directory.resolve("new.txt"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    @DisplayName("lines that are all alike are not compared for ever")
    void alike(String blank) throws Exception {
        write("blank.txt", "\n".repeat(200_000));
        ToolResult result = apply(update("blank.txt", (blank + "\n").repeat(4_000) + "-x\n+y\n"));
        assertThat(result.ok()).isFalse();
        assertThat(result.text()).contains("fewer or more distinct lines", "Nothing was changed.");
    }

    @Test
    @DisplayName("A9: a link is neither moved away nor followed to outside")
    void links(@TempDir Path outside) throws Exception {
        Files.writeString(outside.resolve("secret"), "secret\n");
        Files.createSymbolicLink(directory.resolve("link"), outside.resolve("secret"));
        assertThatThrownBy(() -> tool.places(
                        new ToolBench(directory).workspace, Map.of("patch", update("link", "-secret\n+mine\n"))))
                .isInstanceOf(PathRefusedException.class);
        assertThat(apply(update("link", "*** Move to: here.txt\n secret\n")).ok())
                .isFalse();
        assertThat(directory.resolve("here.txt")).doesNotExist();
        assertThat(outside.resolve("secret")).hasContent("secret");
    }

    @Test
    @DisplayName("a patch without a file, or with too many, is refused in words")
    void bounds() throws Exception {
        assertThat(apply("*** Begin Patch\n*** End Patch").text()).contains("names no file");
        assertThat(apply("*** Begin Patch\n" + "*** Delete File: x\n".repeat(101) + "*** End Patch")
                        .text())
                .contains("more than 100 files");
        assertThat(apply("nothing").text()).contains("*** Begin Patch", "--- a/path");
    }

    @Test
    @Timeout(60)
    @DisplayName("a long line of the patch is not compared with each line for ever")
    void longLineOfThePatch() throws Exception {
        write("many.txt", "x\n".repeat(100_000));

        ToolResult result = apply(update("many.txt", "@@\n-y" + " ".repeat(900_000) + "\n+z\n"));

        assertThat(result.text()).contains("takes too long to find", "Nothing was changed.");
        assertThat(read("many.txt")).isEqualTo("x\n".repeat(100_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*** Begin Patch\n*** Update File: old.txt\n@@\n-two\n+2\n*** End Patch\n",
                "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n",
                "--- a/old.txt\n+++ b/old.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
            })
    @DisplayName("what a person stopped before it was written writes nothing")
    void stopped(String patch) throws Exception {
        ToolInvocation call = new ToolBench(directory).call(tool, Map.of("patch", patch));
        call.cancel().cancel();

        String said;
        try {
            said = tool.run(call).text();
        } catch (ToolFailedException e) {
            said = e.getMessage();
        }

        assertThat(said).isEqualTo("Stopped by the person. Nothing was changed.");
        assertThat(read("old.txt")).isEqualTo("one\ntwo\nthree\n");
    }
}
