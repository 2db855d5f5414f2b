package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchToolsTest {
    @TempDir
    Path temporary;

    private Path root;
    private ToolBench bench;

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(temporary.resolve("work"));
        file("README.md", "# Hello\nfoo(bar)\n");
        file("src/Main.java", "class Main {\n  // TODO one\n}\n");
        file("src/deep/Other.java", "class Other {\n  // TODO two\n}\n");
        file("src/deep/page.ts", "// TODO three\n");
        file(".gitignore", "*.log\n/build/\n!keep.log\n");
        file("src/.gitignore", "deep/secret.txt\n");
        file("src/deep/secret.txt", "TODO hidden\n");
        file("a.log", "TODO log\n");
        file("keep.log", "TODO kept\n");
        file("build/out.txt", "TODO built\n");
        file("node_modules/x/index.js", "TODO module\n");
        file("target/x.txt", "TODO target\n");
        file(".gadget/journal", "TODO journal\n");
        file(".git/config", "TODO git\n");
        Files.writeString(Files.createDirectories(temporary.resolve("outside")).resolve("x.txt"), "TODO outside\n");
        Files.createSymbolicLink(root.resolve("out"), temporary.resolve("outside"));
        bench = new ToolBench(root);
    }

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String run(Tool tool, Map<String, Object> parameters) throws Exception {
        return bench.run(tool, parameters).text();
    }

    private static Tool searchTool(boolean ripgrep) {
        Optional<Path> program = RipGrep.find();
        assumeTrue(!ripgrep || program.isPresent(), "ripgrep is not installed");
        return new SearchTool(ripgrep ? program : Optional.empty());
    }

    @Test
    @DisplayName("list_files: a directory, or all below it without what git ignores; links are not followed")
    void list() throws Exception {
        Tool list = new ListFilesTool();
        assertThat(run(list, Map.of()).lines())
                .containsExactly(
                        ".git/",
                        ".gitignore",
                        "README.md",
                        "a.log",
                        "build/",
                        "keep.log",
                        "node_modules/",
                        "out",
                        "src/",
                        "target/");
        assertThat(run(list, Map.of("path", ".", "recursive", true)).lines())
                .containsExactly(
                        ".gitignore",
                        "README.md",
                        "keep.log",
                        "out",
                        "src/",
                        "src/.gitignore",
                        "src/Main.java",
                        "src/deep/",
                        "src/deep/Other.java",
                        "src/deep/page.ts");
        assertThat(run(list, Map.of("path", "README.md"))).contains("is a file");
        assertThat(run(list, Map.of("path", "deep"))).contains("There is `src/deep`");
        assertThat(run(list, Map.of("path", "out"))).contains("outside the workspace");
        assertThat(run(list, Map.of("path", ".gadget"))).contains("not for tools");
    }

    @Test
    @DisplayName("list_files bounds what it lists and says so")
    void many() throws Exception {
        for (int i = 0; i < 510; i++) {
            file("many/f" + i, "");
        }
        assertThat(run(new ListFilesTool(), Map.of("path", "many")))
                .endsWith("]")
                .contains("[500 of 510 are shown");
    }

    @Test
    @DisplayName("find_files: globs over paths, names anywhere")
    void find() throws Exception {
        Tool find = new FindFilesTool();
        assertThat(run(find, Map.of("pattern", "**/*.java")).lines())
                .containsExactly("src/Main.java", "src/deep/Other.java");
        assertThat(run(find, Map.of("pattern", "**/*.md"))).isEqualTo("README.md");
        assertThat(run(find, Map.of("pattern", "Other.*"))).isEqualTo("src/deep/Other.java");
        assertThat(run(find, Map.of("pattern", "deep/*.{ts,tsx}", "path", "src")))
                .isEqualTo("src/deep/page.ts");
        assertThat(run(find, Map.of("pattern", "*.rs"))).contains("No file matches");
        assertThat(run(find, Map.of("pattern", "*", "path", "../"))).contains("outside the workspace");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("search: path:line:text, with and without ripgrep alike")
    void search(boolean ripgrep) throws Exception {
        Tool search = searchTool(ripgrep);
        assertThat(run(search, Map.of("pattern", "TODO \\w+")).lines())
                .containsExactly(
                        "keep.log:1:TODO kept",
                        "src/Main.java:2:  // TODO one",
                        "src/deep/Other.java:2:  // TODO two",
                        "src/deep/page.ts:1:// TODO three");
        assertThat(run(search, Map.of("pattern", "TODO", "path", "src", "glob", "*.ts")))
                .isEqualTo("src/deep/page.ts:1:// TODO three");
        assertThat(run(search, Map.of("pattern", "TODO", "path", "src/Main.java")))
                .isEqualTo("src/Main.java:2:  // TODO one");
        assertThat(run(search, Map.of("pattern", "nowhere"))).isEqualTo("No match for `nowhere` in `.`.");
        assertThat(run(search, Map.of("pattern", "foo(bar")))
                .contains("searched as plain text", "README.md:2:foo(bar)");
        assertThat(run(search, Map.of("pattern", "-e", "path", "."))).contains("No match");
        assertThat(run(search, Map.of("pattern", "TODO", "path", "out"))).contains("outside the workspace");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("search: bounded matches and lines")
    void bounds(boolean ripgrep) throws Exception {
        file("many.txt", "hit\n".repeat(5000));
        assertThat(run(searchTool(ripgrep), Map.of("pattern", "hit", "path", "many.txt"))
                        .lines())
                .hasSize(201)
                .last()
                .asString()
                .contains("more matches");
        file("long.txt", "y".repeat(10_000) + "hit\n");
        assertThat(run(searchTool(ripgrep), Map.of("pattern", "hit", "path", "long.txt")))
                .hasSizeLessThan(400);
    }

    /** Stands for ripgrep. */
    private Path program(String script) throws IOException {
        Path program = Files.writeString(temporary.resolve("rg"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private ToolResult searchWith(String script) throws Exception {
        return bench.run(new SearchTool(Optional.of(program(script))), Map.of("pattern", "TODO"));
    }

    @Test
    @DisplayName("search: what ripgrep found stays when it could not read some other file, and that is said")
    void someUnread() throws Exception {
        String hit = "printf 'src/Main.java\\0002:  // TODO one\\n'; ";
        ToolResult found = searchWith(hit + "exit 2");
        assertThat(found.text()).isEqualTo("src/Main.java:2:  // TODO one\n[some files could not be read]");
        assertThat(found.ok()).isTrue();
        ToolResult none = searchWith("exit 2");
        assertThat(none.text()).isEqualTo("No match for `TODO` in `.`.\n[some files could not be read]");
        assertThat(none.ok()).isTrue();

        ToolResult wrong = searchWith(hit + "echo 'regex parse error' >&2; exit 2");
        assertThat(wrong.text()).isEqualTo("The search did not end well: regex parse error");
        assertThat(wrong.ok()).isFalse();
        assertThat(searchWith("exit 101").text()).isEqualTo("The search did not end well: it ended with 101");
    }

    @Test
    @Timeout(60)
    @DisplayName("search: of ripgrep that was ended because it took too long, that is said")
    void tooLong() throws Exception {
        Tool search = new SearchTool(Optional.of(program("exec sleep 60")), Duration.ofSeconds(1));
        ToolResult result = bench.run(search, Map.of("pattern", "TODO"));
        assertThat(result.text())
                .isEqualTo("The search took longer than 1 seconds. Use a simpler pattern, or a narrower path or glob.");
        assertThat(result.ok()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("search: a blank glob is none")
    void blankGlob(boolean ripgrep) throws Exception {
        for (String glob : List.of("", " ")) {
            assertThat(run(searchTool(ripgrep), Map.of("pattern", "TODO", "path", "src", "glob", glob))
                            .lines())
                    .hasSize(3);
        }
    }

    @Test
    @DisplayName("search: an expression that takes time beyond measure does not hold up for ever, and memory stays")
    void catastrophic() throws Exception {
        file("evil.txt", "a".repeat(200) + "\n");
        assertThat(run(searchTool(false), Map.of("pattern", "(a?){60}a{60}b", "path", "evil.txt")))
                .matches("(?s)(The search took longer.*|No match.*)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "**/*.java a/b/C.java true",
                "**/*.java C.java true",
                "*.java a/C.java true",
                "src/*.java src/a/C.java false",
                "src/**/C.java src/C.java true",
                "src/** src/a/b true",
                "a?c abc true",
                "a?c a/c false",
                "[!a]b cb true",
                "[!a]b ab false",
                "{a,b}/x.{c,d} b/x.d true",
                "**/**/**/x a/x true",
                "a+b.txt a+b.txt true",
                "a.b axb false"
            })
    @DisplayName("globs")
    void globs(String glob, String path, boolean matches) {
        assertThat(Glob.compile(glob).matches(path)).isEqualTo(matches);
    }

    @Test
    @Timeout(60)
    @DisplayName("A34: neither a .gitignore nor a glob makes the tools go back over a name for ever")
    void patternsBeyondMeasure() throws Exception {
        String evil = "*a".repeat(11) + "b";
        file("evil/.gitignore", (evil + "\n").repeat(100));
        file("evil/" + "a".repeat(200), "x\n");
        assertThat(run(new FindFilesTool(), Map.of("pattern", evil))).startsWith("No file");
        assertThat(run(new FindFilesTool(), Map.of("pattern", "a*", "path", "evil")))
                .contains("aaaa");
        assertThat(run(searchTool(false), Map.of("pattern", "x", "path", "evil", "glob", evil)))
                .doesNotContain("aaaa");
    }

    @Test
    @Timeout(60)
    @DisplayName("a walk over files that are all ignored stops when the turn does")
    void stopsAmongIgnored() throws Exception {
        file("many/.gitignore", "*\n");
        file("many/x.txt", "x\n");
        CancelSignal cancel = new CancelSignal();
        cancel.cancel();
        List<Path> seen = new ArrayList<>();
        FileWalk.over(new Workspace(root), root.toRealPath(), cancel, (path, directory) -> {
            seen.add(path);
            return true;
        });
        assertThat(seen).isEmpty();
    }
}
