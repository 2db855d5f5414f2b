package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileToolsTest {
    @TempDir
    Path root;

    private ToolBench bench;
    private final Tool read = new ReadFileTool();
    private final Tool write = new WriteFileTool();
    private final Tool edit = new EditFileTool();

    @BeforeEach
    void make() {
        bench = new ToolBench(root);
    }

    private void file(String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private String run(Tool tool, Map<String, Object> parameters) throws Exception {
        ToolResult result = bench.run(tool, parameters);
        assertThat(result.ok()).as(result.text()).isTrue();
        return result.text();
    }

    private String fails(Tool tool, Map<String, Object> parameters) throws Exception {
        ToolResult result = bench.run(tool, parameters);
        assertThat(result.ok()).as(result.text()).isFalse();
        return result.text();
    }

    @Test
    @DisplayName("read_file gives the text as it is, or the asked lines with where to go on")
    void reads() throws Exception {
        file("a.txt", "one\r\ntwo\nthree\n");
        assertThat(run(read, Map.of("path", "a.txt"))).isEqualTo("one\ntwo\nthree\n");
        assertThat(run(read, Map.of("path", "a.txt", "offset", "2", "limit", 1)))
                .isEqualTo("two\n[lines 2-2 of 3; go on with offset=3]");
        assertThat(run(read, Map.of("file_path", "a.txt", "offset", 3))).isEqualTo("three\n[lines 3-3 of 3]");
        assertThat(fails(read, Map.of("path", "a.txt", "offset", 9))).contains("has 3 lines");
        file("empty", "");
        assertThat(run(read, Map.of("path", "empty"))).contains("is empty");
    }

    @Test
    @DisplayName("read_file bounds what it gives, of many lines and of long ones")
    void bounds() throws Exception {
        file("long.txt", "x".repeat(5_000_000) + "\nend");
        assertThat(run(read, Map.of("path", "long.txt"))).hasSizeLessThan(2100).contains("[the line is longer]\nend");
        file("many.txt", "0123456789\n".repeat(100_000));
        String text = run(read, Map.of("path", "many.txt", "limit", 10_000));
        assertThat(text).hasSizeLessThan(51_000).endsWith("of 100000; go on with offset=4547]");
    }

    @Test
    @DisplayName("read_file refuses binaries and images politely, and tells where a missing file is")
    void refuses() throws Exception {
        Files.write(root.resolve("a.bin"), new byte[] {1, 0, 2});
        assertThat(fails(read, Map.of("path", "a.bin"))).contains("binary file of 3 bytes");
        file("logo.png", "x");
        assertThat(fails(read, Map.of("path", "logo.png"))).contains("an image");
        file("src/deep/Main.java", "class Main {}");
        assertThat(fails(read, Map.of("path", "Main.java"))).contains("There is `src/deep/Main.java`");
        assertThat(fails(read, Map.of("path", "nothing.txt"))).contains("does not exist", "find_files");
        assertThat(fails(read, Map.of("path", "../x"))).contains("outside the workspace");
        assertThat(fails(read, Map.of("path", "src"))).contains("is a directory");
    }

    @Test
    @DisplayName("write_file creates and replaces, byte for byte")
    void writes() throws Exception {
        assertThat(run(write, Map.of("path", "d/n.txt", "content", "é\n\"x\"\\\t")))
                .isEqualTo("Created `d/n.txt`: 2 lines, 8 bytes.");
        assertThat(Files.readString(root.resolve("d/n.txt"))).isEqualTo("é\n\"x\"\\\t");
        assertThat(run(write, Map.of("path", "d/n.txt", "content", ""))).startsWith("Replaced");
        assertThat(fails(write, Map.of("path", ".git/hooks/x", "content", "x"))).contains(".git");
        assertThat(fails(write, Map.of("path", "d", "content", "x"))).contains("is a directory");
    }

    @Test
    @DisplayName("edit_file replaces what occurs once, or all when asked")
    void edits() throws Exception {
        file("a.txt", "one\ntwo\nthree\ntwo\n");
        assertThat(run(edit, Map.of("path", "a.txt", "old_string", "one", "new_string", "$1 \\ eins")))
                .contains("1 place, in line 1");
        assertThat(fails(edit, Map.of("path", "a.txt", "old_string", "two", "new_string", "2")))
                .contains("occurs 2 times", "in lines 2, 4", "replace_all");
        assertThat(run(edit, Map.of("path", "a.txt", "old_text", "two", "new_text", "2", "replace_all", "true")))
                .contains("2 places");
        assertThat(root.resolve("a.txt")).hasContent("$1 \\ eins\n2\nthree\n2\n");
    }

    @Test
    @DisplayName("edit_file takes the line ends of the file for its own")
    void lineEnds() throws Exception {
        file("w.txt", "a\r\nb\r\nc\r\n");
        run(edit, Map.of("path", "w.txt", "old_string", "a\nb", "new_string", "x\ny"));
        assertThat(Files.readString(root.resolve("w.txt"))).isEqualTo("x\r\ny\r\nc\r\n");
        file("one.txt", "a\r\nb\r\n");
        run(edit, Map.of("path", "one.txt", "old_string", "a", "new_string", "a\nx"));
        assertThat(Files.readString(root.resolve("one.txt"))).isEqualTo("a\r\nx\r\nb\r\n");
        file("mixed.txt", "a\r\nb\nc\n");
        run(edit, Map.of("path", "mixed.txt", "old_string", "b\nc", "new_string", "b\nx\nc"));
        assertThat(Files.readString(root.resolve("mixed.txt"))).isEqualTo("a\r\nb\nx\nc\n");
    }

    @Test
    @DisplayName("edit_file that does not match tells the nearest lines, and changes nothing")
    void nearest() throws Exception {
        file("A.java", "class A {\n    int  port = 80;\n    String host = \"x\";\n}\n");
        assertThat(fails(edit, Map.of("path", "A.java", "old_string", "int port = 80;", "new_string", "y")))
                .contains("differs only in blanks from lines 2-2", "    int  port = 80;");
        assertThat(fails(edit, Map.of("path", "A.java", "old_string", "String hosts = \"y\";", "new_string", "y")))
                .contains("nearest lines", "from line 3", "String host = \"x\";");
        assertThat(fails(edit, Map.of("path", "A.java", "old_string", "zzzzzz", "new_string", "y")))
                .contains("read the file again");
        assertThat(fails(edit, Map.of("path", "A.java", "old_string", "}", "new_string", "}")))
                .contains("equal");
        assertThat(fails(edit, Map.of("path", "A.java", "old_string", "", "new_string", "}")))
                .contains("empty");
        assertThat(fails(edit, Map.of("path", "B.java", "old_string", "a", "new_string", "b")))
                .contains("write_file");
        Files.write(root.resolve("latin.txt"), "é".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(fails(edit, Map.of("path", "latin.txt", "old_string", "a", "new_string", "b")))
                .contains("UTF-8");
        assertThat(Files.readString(root.resolve("A.java"))).contains("int  port = 80");
    }

    @Test
    @DisplayName("after a crash: whether a write or an edit is in the file already")
    void alreadyDone() throws Exception {
        file("a.txt", "port = 80\n");
        Map<String, Object> writing = Map.of("path", "a.txt", "content", "port = 80\n");
        assertThat(write.alreadyDone(bench.call(write, writing))).isPresent();
        assertThat(write.alreadyDone(bench.call(write, Map.of("path", "a.txt", "content", "x"))))
                .isEmpty();
        assertThat(write.alreadyDone(bench.call(write, Map.of("path", "new.txt", "content", "x"))))
                .isEmpty();

        Map<String, Object> changing = Map.of("path", "a.txt", "old_string", "80", "new_string", "8080");
        assertThat(edit.alreadyDone(bench.call(edit, changing))).isEmpty();
        run(edit, changing);
        assertThat(edit.alreadyDone(bench.call(edit, changing))).isPresent();

        Map<String, Object> deleting = Map.of("path", "a.txt", "old_string", "8080", "new_string", "");
        assertThat(edit.alreadyDone(bench.call(edit, deleting))).isEmpty();
        run(edit, deleting);
        assertThat(edit.alreadyDone(bench.call(edit, deleting))).isPresent();
    }
}
