package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths of tools: security.md A9, A10, A16. */
class WorkspaceTest {
    private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path temporary;

    private Path root;
    private Path outside;
    private Workspace workspace;

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(temporary.resolve("work"));
        outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret.txt"), "secret");
        Files.createDirectories(root.resolve("src"));
        Files.writeString(root.resolve("src/a.txt"), "a");
        Files.createSymbolicLink(root.resolve("out"), outside);
        Files.createSymbolicLink(root.resolve("secret"), outside.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("dangling"), outside.resolve("not-yet.txt"));
        Files.createSymbolicLink(root.resolve("in"), Path.of("src"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        workspace = new Workspace(root);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../outside/secret.txt",
                "src/../../outside/secret.txt",
                "/etc/passwd",
                "/proc/self/root/etc/passwd",
                "/dev/stdin",
                "out/secret.txt",
                "out",
                "out/new.txt",
                "secret",
                "dangling",
                "in/../../outside/secret.txt",
                "out/../work/src/a.txt/../../../outside/secret.txt",
                "~/x",
                "~",
                "../work2/x",
                ".."
            })
    @DisplayName("A9: what leads outside is refused, for reading and for writing, also through links to nothing")
    void outside(String path) {
        assertThatThrownBy(() -> workspace.toRead(path))
                .isInstanceOf(PathRefusedException.class)
                .hasMessageContaining("outside the workspace");
        assertThatThrownBy(() -> workspace.toWrite(path)).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toMove(path)).isInstanceOf(PathRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\0b", "loop/x", "src/a.txt/b"})
    @DisplayName("A9: what is no path is refused")
    void noPath(String path) {
        assertThatThrownBy(() -> workspace.toRead(path)).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toMove(path)).isInstanceOf(PathRefusedException.class);
    }

    @Test
    @DisplayName("inside: relative, absolute, by links inside, not yet there, and odd but literal names")
    void inside() throws IOException {
        Path real = root.toRealPath();
        assertThat(workspace.toRead("src/a.txt")).isEqualTo(real.resolve("src/a.txt"));
        assertThat(workspace.toRead("./src/../src//a.txt")).isEqualTo(real.resolve("src/a.txt"));
        assertThat(workspace.toRead(root + "/src/a.txt")).isEqualTo(real.resolve("src/a.txt"));
        assertThat(workspace.toWrite("in/new/b.txt")).isEqualTo(real.resolve("src/new/b.txt"));
        assertThat(workspace.toWrite("in")).isEqualTo(real.resolve("src"));
        assertThat(workspace.toMove("in")).isEqualTo(real.resolve("in"));
        assertThat(workspace.toMove("in/new/b.txt")).isEqualTo(real.resolve("src/new/b.txt"));
        assertThat(workspace.toWrite("%2e%2e/x")).isEqualTo(real.resolve("%2e%2e/x"));
        assertThat(workspace.show(workspace.toRead("."))).isEqualTo(".");

        Path link = Files.createSymbolicLink(temporary.resolve("linked"), root);
        Workspace linked = new Workspace(link);
        assertThat(linked.toRead(link + "/src/a.txt")).isEqualTo(real.resolve("src/a.txt"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/hooks/pre-commit",
                ".git/config",
                ".GIT/config",
                "sub/.git/config",
                ".git",
                ".git./config",
                ".g\u200bit/config",
                "git~1/config"
            })
    @DisplayName("A10: the inside of .git is never written")
    void git(String path) {
        assertThatThrownBy(() -> workspace.toWrite(path)).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toMove(path)).isInstanceOf(PathRefusedException.class);
        assertThat(workspace.toRead(path)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {".gadget/workspace.json", ".gadget", ".Gadget/x", "a/.gadget/y"})
    @DisplayName("A16: the drone's own state is neither read nor written")
    void gadget(String path) {
        assertThatThrownBy(() -> workspace.toRead(path)).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toWrite(path)).isInstanceOf(PathRefusedException.class);
        assertThatThrownBy(() -> workspace.toMove(path)).isInstanceOf(PathRefusedException.class);
    }

    @Test
    @DisplayName("A10: files that editors, shells and git run are told apart")
    void runsLater() {
        assertThat(ProtectedNames.runsLater(Path.of(".vscode/tasks.json"))).isTrue();
        assertThat(ProtectedNames.runsLater(Path.of("a/.envrc"))).isTrue();
        assertThat(ProtectedNames.runsLater(Path.of(".gitignore"))).isFalse();
        assertThat(ProtectedNames.runsLater(Path.of("src/Main.java"))).isFalse();
    }

    @Test
    @DisplayName("a write keeps the mode, leaves no temporary file, and does not change what is hard-linked")
    void write() throws IOException {
        Path file = root.resolve("src/a.txt");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
        Files.createLink(outside.resolve("hard"), file);
        assertThat(SafeFiles.write(workspace, workspace.toWrite("src/a.txt"), NEW))
                .isTrue();
        assertThat(file).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x---");
        assertThat(outside.resolve("hard")).hasContent("a");
        assertThat(SafeFiles.write(workspace, workspace.toWrite("deep/er/b.txt"), NEW))
                .isFalse();
        assertThat(root.resolve("deep/er")).isDirectoryContaining(path -> path.endsWith("b.txt"));
        try (var left = Files.list(root.resolve("src"))) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    @DisplayName("A9: pipes, devices and directories are refused and not opened")
    void notFiles() throws Exception {
        Process fifo = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(fifo.waitFor()).isZero();
        assertThatThrownBy(() -> SafeFiles.open(workspace, workspace.toRead("pipe")))
                .hasMessageContaining("pipe");
        assertThatThrownBy(() -> SafeFiles.write(workspace, workspace.toWrite("pipe"), NEW))
                .hasMessageContaining("pipe");
        assertThatThrownBy(() -> SafeFiles.open(workspace, workspace.toRead("src")))
                .hasMessageContaining("directory");
    }

    @Test
    @DisplayName("A9: a directory that turns into a link between check and use lets nothing out, in 10 000 tries")
    void race() throws Exception {
        Files.writeString(outside.resolve("a.txt"), "secret");
        Path real = root.resolve("real");
        Path switched = root.resolve("switched");
        Files.createDirectories(real);
        Files.writeString(real.resolve("a.txt"), "inside");
        AtomicBoolean over = new AtomicBoolean();
        Thread attacker = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                try {
                    Files.move(real, switched);
                    Files.move(switched, real);
                    Files.createSymbolicLink(switched, outside);
                    Files.delete(switched);
                } catch (IOException e) {
                    // A write made a directory of that name meanwhile.
                    clear(switched, real);
                }
            }
        });
        int refused = 0;
        try {
            for (int i = 0; i < 10_000; i++) {
                try {
                    Path checked = workspace.toRead("switched/a.txt");
                    byte[] read = SafeFiles.read(workspace, checked, 100);
                    assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo("inside");
                } catch (IOException | PathRefusedException e) {
                    refused++;
                }
                if (i % 50 == 0) {
                    try {
                        SafeFiles.write(workspace, workspace.toWrite("switched/w.txt"), NEW);
                    } catch (IOException | PathRefusedException e) {
                        refused++;
                    }
                }
            }
        } finally {
            over.set(true);
            attacker.join(10_000);
        }
        assertThat(refused).isPositive();
        assertThat(outside.resolve("w.txt")).doesNotExist();
        assertThat(Files.exists(outside.resolve("secret.txt"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    private static void clear(Path switched, Path real) {
        try {
            if (!Files.exists(real)) {
                Files.createDirectories(real);
                Files.writeString(real.resolve("a.txt"), "inside");
            }
            if (!Files.isSymbolicLink(switched)) {
                Files.deleteIfExists(switched.resolve("a.txt"));
                Files.deleteIfExists(switched.resolve("w.txt"));
            }
            Files.deleteIfExists(switched);
        } catch (IOException e) {
            // In use by the other side; the next round tries again.
            assertThat(switched).isNotNull();
        }
    }

    @Test
    @DisplayName(
            "what a drone that was killed left beside a file is removed, however short ago that was, and nothing else")
    void unfinished() throws IOException {
        Path left = root.resolve("src/.gadget-958ffd47-d5a3-41ad-8c6b-167728a3580a.tmp");
        Files.writeString(left, "half");
        Files.writeString(root.resolve("src/.gadget-notes.tmp"), "mine");
        Files.writeString(root.resolve(".gadget-958ffd47-d5a3-41ad-8c6b-167728a3580a.tmp"), "elsewhere");
        SafeFiles.clearUnfinished(workspace, workspace.toWrite("src/a.txt"));
        assertThat(left).doesNotExist();
        assertThat(root.resolve("src/.gadget-notes.tmp")).hasContent("mine");
        assertThat(root.resolve(".gadget-958ffd47-d5a3-41ad-8c6b-167728a3580a.tmp"))
                .hasContent("elsewhere");
        assertThat(root.resolve("src/a.txt")).hasContent("a");
        SafeFiles.clearUnfinished(workspace, workspace.toWrite("nowhere/a.txt"));
    }
}
