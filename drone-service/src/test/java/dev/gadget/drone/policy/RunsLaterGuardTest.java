package dev.gadget.drone.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What git, an editor or a shell runs later, against commands that want to plant it; A10, A16. */
@DisplayName("What runs later")
class RunsLaterGuardTest {
    private static final String EVIL = "[core]\\n\\tfsmonitor = touch /ran\\n";

    @TempDir
    Path directory;

    private Path root;
    private Workspace workspace;
    private Sandbox sandbox;

    @BeforeEach
    void workspace() throws IOException {
        root = Files.createDirectory(directory.toRealPath().resolve("workspace"));
        sandbox = Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root));
        assumeTrue(sandbox.works(), sandbox.report());
        workspace = new Workspace(root, sandbox);
    }

    private static Path init(Path repository) throws IOException {
        Git.in(Files.createDirectories(repository)).ask("init", "--quiet");
        return repository;
    }

    /** A repository as cheap as it can be. */
    private static void dummy(Path repository) throws IOException {
        Files.createDirectories(repository.resolve(".git/objects"));
        Files.createDirectories(repository.resolve(".git/refs"));
        Files.writeString(repository.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(repository.resolve(".git/config"), "[core]\n\tbare = false\n");
    }

    private int status(String command) throws Exception {
        Process process = new ProcessBuilder(sandbox.wrap(workspace, List.of("/bin/sh", "-c", command)))
                .directory(root.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).doesNotContain("bwrap:");
        return process.exitValue();
    }

    private List<String> run(String command) throws Exception {
        try (RunsLaterGuard guard = RunsLaterGuard.before(workspace)) {
            status(command);
            return guard.after();
        }
    }

    private static String config(Path repository) throws IOException {
        return Files.readString(repository.resolve(".git/config"));
    }

    @Test
    @DisplayName("cannot be replaced by moving the folders that it is in")
    void moved() throws Exception {
        init(root);
        Path shop = init(root.resolve("group/shop"));
        String before = config(root);
        for (String move : List.of(
                "mv .git .g; cp -a .g .git",
                "mv group/shop/.git group/g; cp -a group/g group/shop/.git",
                "mv group/shop group/old; cp -a group/old group/shop",
                "mv group old; cp -a old group")) {
            run(move + "; printf '" + EVIL + "' > .git/config; printf '" + EVIL + "' > group/shop/.git/config;"
                    + " echo x > group/shop/.git/hooks/post-checkout; rm -rf .g group/g group/old old");
            assertThat(config(root)).isEqualTo(before);
            assertThat(config(shop)).isEqualTo(before);
            assertThat(shop.resolve(".git/hooks/post-checkout")).doesNotExist();
        }
        assertThat(status("mkdir -p group/shop/src && mv group/shop/src group/shop/lib && echo x > group/shop/lib/a"))
                .isZero();
    }

    @Test
    @DisplayName("is not led to by a commondir or by settings of working trees and submodules")
    void otherPlaces() throws Exception {
        init(root);
        Path module = root.resolve(".git/modules/libs/one");
        Git.in(root).ask("init", "--quiet", "--bare", module.toString());
        Path tree = Files.createDirectories(root.resolve(".git/worktrees/one"));
        Files.writeString(tree.resolve("commondir"), "../..\n");
        Files.writeString(tree.resolve("gitdir"), root.resolve("one/.git") + "\n");
        String before = Files.readString(module.resolve("config"));
        List<String> aside = run("mkdir .cache; cp -a .git .cache/g; printf '" + EVIL + "' > .cache/g/config;"
                + " echo ../.cache/g > .git/commondir; printf '" + EVIL + "' > .git/config.worktree;"
                + " printf '" + EVIL + "' > .git/modules/libs/one/config;"
                + " mv .git/modules/libs .git/modules/l; cp -a .git/modules/l .git/modules/libs;"
                + " echo ../../../.cache/g > .git/worktrees/one/commondir");
        assertThat(aside)
                .containsExactlyInAnyOrder(".git/commondir", ".git/config.worktree", ".git/worktrees/one/commondir");
        assertThat(root.resolve(".git/commondir")).doesNotExist();
        assertThat(module.resolve("config")).hasContent(before);
        assertThat(tree.resolve("commondir")).hasContent("../..");
    }

    @Test
    @DisplayName("is kept where it was before an agent made many repositories, and else put back")
    void many() throws Exception {
        Path deep = init(root.resolve("z/y/real"));
        String before = config(deep);
        Thread.sleep(20);
        for (int i = 0; i < 60; i++) {
            dummy(root.resolve("a" + i));
        }
        String plain = config(root.resolve("a59"));
        StringBuilder all = new StringBuilder("printf '" + EVIL + "' > z/y/real/.git/config;");
        for (int i = 0; i < 60; i++) {
            all.append("printf '" + EVIL + "' > a").append(i).append("/.git/config;");
        }
        List<String> aside = run(all.toString());
        assertThat(config(deep)).isEqualTo(before);
        assertThat(aside).as("some are kept, the others put back").isNotEmpty().hasSizeLessThan(60);
        for (int i = 0; i < 60; i++) {
            assertThat(config(root.resolve("a" + i))).isEqualTo(plain);
        }
        assertThat(run("echo fine > a1/file")).isEmpty();
    }

    @Test
    @DisplayName("is set aside in repositories that a command made, unless git makes it like that")
    void made() throws Exception {
        Path source = init(root.resolve("source"));
        Git.in(source).ask("-c", "user.name=T", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "one");
        assertThat(run("git init -q fine && git clone -q source cloned && cd cloned && git config user.name T"
                        + " && git worktree add -q ../tree"))
                .isEmpty();
        assertThat(root.resolve("tree/.git")).exists();
        assertThat(run("git init -q one && git -C one config core.fsmonitor 'touch x';"
                        + "git init -q two && echo x > two/.git/hooks/post-checkout;"
                        + "git init -q three && git -C three config alias.st '!touch x';"
                        + "git init -q four && git -C four config include.path ../../x;"
                        + "git init -q five && echo ../../one/.git > five/.git/commondir;"
                        + "mkdir six && echo 'gitdir: ../one/.git' > six/.git; ln -s ../one/.git two/seven;"
                        + "mkdir eight && ln -s ../one/.git eight/.git"))
                .contains(
                        "one/.git/config",
                        "two/.git/hooks/post-checkout",
                        "three/.git/config",
                        "four/.git/config",
                        "five/.git",
                        "eight/.git");
    }

    @Test
    @DisplayName("is set aside where a command makes the workspace a repository, or leads an old one elsewhere")
    void replaced() throws Exception {
        assertThat(run("git init -q . && git config core.fsmonitor 'touch x'")).containsExactly(".git/config");
        dummy(root.resolve("sub"));
        dummy(root.resolve("planted"));
        Path folder = root.resolve("planted/.git");
        try (RunsLaterGuard guard = RunsLaterGuard.before(workspace)) {
            GadgetFolder.removeAll(root.resolve("sub/.git"));
            Files.writeString(root.resolve("sub/.git"), "gitdir: ../g\n");
            Files.move(folder, root.resolve("g"));
            Files.writeString(root.resolve("g/config"), "[core]\n\tfsmonitor = touch x\n");
            assertThat(guard.after()).containsExactly("g/config");
        }
        try (RunsLaterGuard guard = RunsLaterGuard.before(workspace)) {
            Files.delete(root.resolve("sub/.git"));
            Files.createSymbolicLink(root.resolve("sub/.git"), Path.of("../g"));
            assertThat(guard.after()).containsExactly("sub/.git");
        }
    }

    @Test
    @DisplayName("is never taken from outside the workspace, where a link leads by then")
    void links() throws Exception {
        Path other = init(directory.toRealPath().resolve("other"));
        Files.writeString(other.resolve(".envrc"), "mine");
        Files.createDirectory(root.resolve("sub"));
        dummy(root.resolve("sub"));
        RunsLaterGuard guard = RunsLaterGuard.before(workspace);
        GadgetFolder.removeAll(root.resolve("sub/.git"));
        Files.createSymbolicLink(root.resolve("sub/.git"), other.resolve(".git"));
        guard.after();
        assertThat(other.resolve(".git/config")).exists();
        assertThat(other.resolve(".git/hooks")).exists();
        RunsLaterGuard again = RunsLaterGuard.before(workspace);
        GadgetFolder.removeAll(root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("sub"), other);
        again.after();
        assertThat(other.resolve(".envrc")).hasContent("mine");
    }

    @Test
    @DisplayName("is not looked for in what a command makes while another one starts")
    void swapped() throws Exception {
        try (RunsLaterGuard guard = RunsLaterGuard.before(workspace)) {
            dummy(root.resolve("sub"));
            Files.createDirectory(root.resolve("sub/.vscode"));
            assertThat(sandbox.wrap(workspace, List.of("true"))).noneMatch(part -> part.contains("/sub"));
            assertThat(guard.after()).isEmpty();
        }
        try (RunsLaterGuard guard = RunsLaterGuard.before(workspace)) {
            GadgetFolder.removeAll(root.resolve("sub/.vscode"));
            assertThat(status("true")).as("what is gone stops no command").isZero();
            Files.createDirectory(root.resolve("sub/.vscode"));
            assertThat(sandbox.wrap(workspace, List.of("true")))
                    .doesNotContain(root.resolve("sub/.vscode").toString());
        }
        assertThat(sandbox.wrap(workspace, List.of("true")))
                .contains(root.resolve("sub/.vscode").toString());
        Files.createDirectory(root.resolve("next"));
        Files.createSymbolicLink(root.resolve("next/.git"), Files.createDirectory(directory.resolve("config")));
        Files.createSymbolicLink(root.resolve("next/.vscode"), directory);
        assertThat(status("true")).isZero();
    }
}
