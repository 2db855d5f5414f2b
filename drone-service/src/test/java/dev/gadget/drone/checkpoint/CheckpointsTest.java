package dev.gadget.drone.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.drone.file.TestRepository;
import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.FileChange;
import dev.gadget.model.turn.TurnFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A20: what a turn did to files is told, undone and done again, byte for byte. */
class CheckpointsTest {
    @TempDir
    Path directory;

    private final TurnId turn = TurnId.random();
    private final CancelSignal cancel = new CancelSignal();
    private Checkpoints checkpoints;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(directory.resolve(".gadget"));
        checkpoints = Checkpoints.of(new Workspace(directory));
    }

    private void write(String path, String content) throws IOException {
        Path file = directory.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** One that has not looked yet: after two slow looks the others of a turn are left out. */
    private Checkpoints looks() throws IOException {
        return Checkpoints.of(new Workspace(directory));
    }

    /** Every file outside of the drone's folder and git's, by path: its bytes, and its mode or where its link leads. */
    private TreeMap<String, String> all() throws IOException {
        TreeMap<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                String path = directory.relativize(file).toString();
                if (path.startsWith(".gadget")
                        || path.contains(".git/")
                        || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                all.put(
                        path,
                        Files.isSymbolicLink(file)
                                ? "-> " + Files.readSymbolicLink(file)
                                : PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) + " "
                                        + java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return all;
    }

    @Test
    @DisplayName(
            "S0-29: what one command changed is told by itself, and the states that undo goes back to know nothing of the look")
    void oneCommand() throws Exception {
        write(".gitignore", "secret.txt\n");
        write("a.txt", "one\n");
        write("below/b.txt", "b\n");
        TestRepository.of(directory.resolve("below"));
        var before = all();
        checkpoints.before(turn);

        write("a.txt", "one\ntwo\n");
        var first = looks().present(turn, cancel).orElseThrow();
        assertThat(looks().since(first)).isEmpty();
        write("a.txt", "one\ntwo\nthree\n");
        write("below/new.txt", "new\n");
        assertThat(looks().since(first).orElseThrow())
                .contains("+three", "+++ b/below/new.txt", "+new")
                .doesNotContain("+two", "secret");

        var second = looks().present(turn, cancel).orElseThrow();
        Files.delete(directory.resolve("below/new.txt"));
        assertThat(looks().since(second).orElseThrow())
                .contains("deleted file mode", "-new")
                .doesNotContain("three");

        // Written by a tool after the look: the state before the turn is kept once more, and is what it was.
        checkpoints.touch(turn, directory.resolve("secret.txt"));
        write("secret.txt", "s\n");
        checkpoints.after(turn);
        checkpoints.restore(turn, true, false);
        assertThat(all()).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "a look leaves nothing behind, begins anew after one that was killed, and takes no time of a turn that is cancelled")
    void looksAreCheap() throws Exception {
        write("a.txt", "one\n");
        write("below/b.txt", "b\n");
        TestRepository.of(directory.resolve("below"));
        checkpoints.before(turn);
        var killed = looks().present(turn, cancel).orElseThrow();
        Path look = directory.resolve(".gadget/checkpoints/workspace.git/look");
        Files.createFile(look.resolve("index.lock"));
        write("a.txt", "two\n");
        assertThat(looks().since(killed)).isEmpty();

        var then = looks().present(turn, cancel).orElseThrow();
        write("a.txt", "three\n");
        new ProcessBuilder("rm", "-r", directory.resolve("below").toString())
                .start()
                .waitFor();
        assertThat(looks().since(then).orElseThrow()).contains("-two", "+three");

        var last = looks().present(turn, cancel).orElseThrow();
        cancel.cancel();
        write("a.txt", "four\n");
        assertThat(looks().since(last)).isEmpty();
        assertThat(looks().present(turn, cancel)).isEmpty();
        Files.createFile(directory.resolve(".gadget/checkpoints/workspace.git/index.lock"));
        assertThat(looks().after(turn).orElseThrow().diff()).contains("-one", "+four");
        assertThat(look).doesNotExist();
    }

    @Test
    @DisplayName("the drone's own folder is in no state, whatever the workspace's rules for git say")
    void ownFolder() throws Exception {
        write(".gitignore", "!/.gadget/\n!*\n");
        checkpoints.before(turn);
        var then = checkpoints.present(turn, cancel).orElseThrow();
        write(".gadget/work-order.json", "the key\n");
        write("a.txt", "a\n");
        assertThat(checkpoints.since(then).orElseThrow()).contains("a.txt").doesNotContain("the key", ".gadget");
        assertThat(checkpoints.after(turn).orElseThrow().files())
                .containsExactly(new FileChange("a.txt", FileChange.Kind.ADDED, 1, 0));
    }

    @Test
    @DisplayName("of a command that changed much the beginning of the diff is told, and that there is more")
    void oneLongCommand() throws Exception {
        checkpoints.before(turn);
        var then = checkpoints.present(turn, cancel).orElseThrow();
        write("long.txt", "a line of it\n".repeat(5_000));
        assertThat(checkpoints.since(then).orElseThrow())
                .hasSizeLessThan(21_000)
                .startsWith("diff --git")
                .endsWith("… the diff is longer than this …\n");
    }

    @Test
    @DisplayName("edits, new files, deletions, modes, links and odd line ends come back as they were, and go again")
    void thereAndBack() throws Exception {
        write(".gitattributes", "* text=auto eol=crlf\n*.bin filter=lfs\n");
        write("crlf.txt", "one\r\ntwo\n");
        write("gone.txt", "will go\n");
        write("run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(directory.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(directory.resolve("link"), Path.of("crlf.txt"));
        Files.write(directory.resolve("data.bin"), new byte[] {0, 1, 2, 13, 10, -1});
        write("name with ünïcode\tand tab.txt", "x");
        var before = all();

        assertThat(checkpoints.before(turn)).isTrue();
        write("crlf.txt", "one\r\ntwo\nthree\r\n");
        Files.delete(directory.resolve("gone.txt"));
        write("deep/er/new.txt", "new\n");
        Files.delete(directory.resolve("link"));
        Files.write(directory.resolve("data.bin"), new byte[] {9, 0});
        Files.setPosixFilePermissions(directory.resolve("run.sh"), PosixFilePermissions.fromString("rw-r--r--"));
        write("name with ünïcode\tand tab.txt", "y");
        var after = all();
        TurnFiles files = checkpoints.after(turn).orElseThrow();

        assertThat(files.total()).isEqualTo(7);
        assertThat(files.files())
                .contains(
                        new FileChange("crlf.txt", FileChange.Kind.MODIFIED, 1, 0),
                        new FileChange("gone.txt", FileChange.Kind.DELETED, 0, 1),
                        new FileChange("deep/er/new.txt", FileChange.Kind.ADDED, 1, 0),
                        new FileChange("data.bin", FileChange.Kind.MODIFIED, null, null));
        assertThat(files.diff()).contains("+++ b/deep/er/new.txt", "-will go");
        assertThat(checkpoints.diff(turn)).contains("+three");

        assertThat(checkpoints.restore(turn, true, false)).hasSize(7);
        assertThat(all()).isEqualTo(before);
        assertThat(directory.resolve("deep")).doesNotExist();
        assertThatThrownBy(() -> checkpoints.restore(turn, true, false)).hasMessageContaining("undone already");

        checkpoints.restore(turn, false, false);
        assertThat(all()).isEqualTo(after);
    }

    @Test
    @DisplayName("what git ignores is undone where a tool wrote it")
    void ignored() throws Exception {
        write(".gitignore", "*.env\nout/\n");
        write("secret.env", "A=1\n");
        write("out/big.log", "not kept\n");
        checkpoints.before(turn);
        checkpoints.touch(turn, directory.toRealPath().resolve("secret.env"));
        checkpoints.touch(turn, directory.toRealPath().resolve("out/made.txt"));
        write("secret.env", "A=2\n");
        write("out/made.txt", "made\n");
        write("out/big.log", "more\n");
        TurnFiles files = checkpoints.after(turn).orElseThrow();
        assertThat(files.files()).extracting(FileChange::path).containsExactlyInAnyOrder("secret.env", "out/made.txt");
        checkpoints.restore(turn, true, false);
        assertThat(directory.resolve("secret.env")).hasContent("A=1");
        assertThat(directory.resolve("out/made.txt")).doesNotExist();
        assertThat(directory.resolve("out/big.log")).hasContent("more");
    }

    @Test
    @DisplayName("a file that was changed since is named and stays, unless it is forced")
    void changedSince() throws Exception {
        write("a.txt", "1\n");
        write("b.txt", "1\n");
        checkpoints.before(turn);
        write("a.txt", "2\n");
        write("b.txt", "2\n");
        checkpoints.after(turn);
        write("b.txt", "mine\n");
        assertThatThrownBy(() -> checkpoints.restore(turn, true, false))
                .isInstanceOfSatisfying(FilesRefusedException.class, refused -> {
                    assertThat(refused.code()).isEqualTo(FailureCode.CHANGED_MEANWHILE);
                    assertThat(refused).hasMessageStartingWith("b.txt was changed after the turn.");
                    assertThat(refused.files()).containsExactly("b.txt");
                });
        assertThat(directory.resolve("a.txt")).hasContent("2");
        checkpoints.restore(turn, true, true);
        assertThat(directory.resolve("a.txt")).hasContent("1");
        assertThat(directory.resolve("b.txt")).hasContent("1");
    }

    @Test
    @DisplayName(
            "repositories below the workspace are kept as well, and nothing is written in any repository of the person")
    void nested() throws Exception {
        Path project = Files.createDirectories(directory.resolve("shop"));
        Git git = Git.in(project)
                .with("GIT_AUTHOR_NAME", "t")
                .with("GIT_AUTHOR_EMAIL", "t@t")
                .with("GIT_COMMITTER_NAME", "t")
                .with("GIT_COMMITTER_EMAIL", "t@t");
        git.ask("init", "--quiet");
        write("shop/a.txt", "1\n");
        git.ask("add", "a.txt");
        git.ask("commit", "--quiet", "-m", "first");
        write("top.txt", "1\n");
        String refs = git.ask("for-each-ref").text()
                + git.ask("status", "--porcelain").text();
        checkpoints.before(turn);
        write("shop/a.txt", "2\n");
        write("top.txt", "2\n");
        TurnFiles files = checkpoints.after(turn).orElseThrow();
        assertThat(files.files()).extracting(FileChange::path).containsExactlyInAnyOrder("shop/a.txt", "top.txt");
        assertThat(files.diff()).contains("+++ b/shop/a.txt");
        checkpoints.restore(turn, true, false);
        assertThat(directory.resolve("shop/a.txt")).hasContent("1");
        assertThat(git.ask("for-each-ref").text()
                        + git.ask("status", "--porcelain").text())
                .isEqualTo(refs);
    }

    @Test
    @DisplayName("what a turn changed in a session's worktree alone is undone and done again")
    void worktreeAlone() throws Exception {
        Path shop = Files.createDirectories(directory.resolve("shop"));
        write("shop/a.txt", "1\n");
        TestRepository.of(shop).git("worktree", "add", "-q", "-b", "mine", "../.worktrees/shop-1");
        Path worktree = directory.toRealPath().resolve(".worktrees/shop-1");
        checkpoints = Checkpoints.of(new Workspace(directory).at(shop.toRealPath(), worktree));
        checkpoints.before(turn);
        write(".worktrees/shop-1/a.txt", "2\n");
        TurnFiles files = checkpoints.after(turn).orElseThrow();
        assertThat(files.files()).extracting(FileChange::path).containsExactly(".worktrees/shop-1/a.txt");
        Checkpoints later = Checkpoints.of(new Workspace(directory));
        later.restore(turn, true, false);
        assertThat(worktree.resolve("a.txt")).hasContent("1");
        later.restore(turn, false, false);
        assertThat(worktree.resolve("a.txt")).hasContent("2");
        assertThat(directory.resolve("shop/a.txt")).hasContent("1");
    }

    @Test
    @DisplayName("A11: a repository that configures commands runs none of them")
    void hostile() throws Exception {
        Path marker = directory.resolve("ran");
        Git.in(directory).ask("init", "--quiet");
        write(".gitattributes", "* filter=evil diff=evil\n");
        String config = "[filter \"evil\"]\n clean = touch " + marker + "; cat\n smudge = touch " + marker
                + "; cat\n required = true\n[core]\n fsmonitor = touch " + marker
                + "\n[diff \"evil\"]\n textconv = touch " + marker
                + "; cat\n command = touch " + marker + "\n[diff]\n external = touch " + marker + "\n";
        Files.writeString(directory.resolve(".git/config"), config);
        Files.createDirectories(directory.resolve(".git/hooks"));
        write("a.txt", "1\n");
        checkpoints.before(turn);
        write("a.txt", "2\n");
        checkpoints.after(turn);
        checkpoints.diff(turn);
        checkpoints.restore(turn, true, false);
        assertThat(directory.resolve("a.txt")).hasContent("1");
        assertThat(marker).doesNotExist();
    }

    @Test
    @DisplayName("a turn that changed nothing has nothing to undo; the state before survives a restart of the drone")
    void nothing() throws Exception {
        write("a.txt", "1\n");
        checkpoints.before(turn);
        assertThat(checkpoints.after(turn)).isEmpty();
        TurnId next = TurnId.random();
        checkpoints.before(next);
        write("a.txt", "2\n");
        Checkpoints again = Checkpoints.of(new Workspace(directory));
        again.before(next);
        write("a.txt", "3\n");
        assertThat(again.after(next).orElseThrow().files())
                .containsExactly(new FileChange("a.txt", FileChange.Kind.MODIFIED, 1, 1));
        again.restore(next, true, false);
        assertThat(directory.resolve("a.txt")).hasContent("1");
        assertThatThrownBy(() -> again.diff(TurnId.random())).hasMessageContaining("keeps no state of that turn");
    }

    @Test
    @DisplayName("a file in the place of a directory, and the other way round")
    void kinds() throws Exception {
        write("x/y.txt", "1\n");
        write("z", "file\n");
        checkpoints.before(turn);
        Files.delete(directory.resolve("x/y.txt"));
        Files.delete(directory.resolve("x"));
        write("x", "now a file\n");
        Files.delete(directory.resolve("z"));
        write("z/in.txt", "now a directory\n");
        assertThat(checkpoints.after(turn).orElseThrow().files())
                .extracting(FileChange::path)
                .isEqualTo(List.of("x", "x/y.txt", "z", "z/in.txt"));
        checkpoints.restore(turn, true, false);
        assertThat(directory.resolve("x/y.txt")).hasContent("1");
        assertThat(directory.resolve("z")).hasContent("file");
    }

    @Test
    @DisplayName("a link comes back with the directory in which it was")
    void linkInRemovedDirectory() throws Exception {
        write("releases/v1/app", "1\n");
        Files.createSymbolicLink(directory.resolve("releases/latest"), Path.of("v1"));
        Files.createDirectories(directory.resolve("only/links"));
        Files.createSymbolicLink(directory.resolve("only/links/nowhere"), Path.of("../gone"));
        var before = all();
        checkpoints.before(turn);
        new ProcessBuilder("rm", "-r", "releases", "only")
                .directory(directory.toFile())
                .start()
                .waitFor();
        var after = all();
        checkpoints.after(turn);
        checkpoints.restore(turn, true, false);
        assertThat(all()).isEqualTo(before);
        checkpoints.restore(turn, false, false);
        assertThat(all()).isEqualTo(after);
    }

    @Test
    @DisplayName("a kill between the states of two repositories: the next start keeps what is missing")
    void cutBetweenTrees() throws Exception {
        Path shop = Files.createDirectories(directory.resolve("shop"));
        Git.in(shop).ask("init", "--quiet");
        write("shop/a.txt", "1\n");
        write("top.txt", "1\n");
        // The state of the repository below cannot be kept: that is how far it came.
        Path store = directory.resolve(".gadget/checkpoints");
        String name = Tree.blob("shop".getBytes(java.nio.charset.StandardCharsets.UTF_8)) + ".git";
        Files.createDirectories(store);
        Files.writeString(store.resolve(name), "in the way");
        assertThat(checkpoints.before(turn)).isFalse();
        Files.delete(store.resolve(name));

        Checkpoints again = Checkpoints.of(new Workspace(directory));
        assertThat(again.before(turn)).isTrue();
        write("shop/a.txt", "2\n");
        write("top.txt", "2\n");
        assertThat(looks().after(turn).orElseThrow().files())
                .extracting(FileChange::path)
                .containsExactlyInAnyOrder("shop/a.txt", "top.txt");
        again.restore(turn, true, false);
        assertThat(directory.resolve("shop/a.txt")).hasContent("1");
    }

    @Test
    @DisplayName("A33: what the owner of the machine denies is neither undone nor done again")
    void ownersRules() throws Exception {
        write("db/a.sql", "one\n");
        write("b.txt", "one\n");
        checkpoints.before(turn);
        write("db/a.sql", "two\n");
        write("b.txt", "two\n");
        checkpoints.after(turn);
        var after = all();
        for (String policy : List.of(
                "{\"rules\":[{\"action\":\"deny\",\"path\":\"db/**\"}]}", "{\"approvals\":\"read_only\"}", "{")) {
            write(".gadget/policy.json", policy);
            assertThatThrownBy(() -> checkpoints.restore(turn, true, true))
                    .isInstanceOfSatisfying(
                            FilesRefusedException.class,
                            e -> assertThat(e.code()).isEqualTo(FailureCode.FORBIDDEN))
                    .hasMessageContaining("policy.json");
            assertThat(all()).isEqualTo(after);
        }
        Files.delete(directory.resolve(".gadget/policy.json"));
        assertThat(checkpoints.restore(turn, true, false)).hasSize(2);
    }
}
