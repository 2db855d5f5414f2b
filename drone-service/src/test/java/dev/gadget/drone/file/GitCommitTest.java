package dev.gadget.drone.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.FailureCode;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits from the page, in real repositories. */
class GitCommitTest {
    @TempDir
    Path temporary;

    private Path root;
    private TestRepository repository;

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectories(temporary.resolve("work"));
        Files.writeString(root.resolve("a.txt"), "one\n");
        Files.writeString(root.resolve("b.txt"), "b\n");
        repository = TestRepository.of(root);
        repository.git("config", "user.name", "Ada");
        repository.git("config", "user.email", "ada@example.org");
    }

    private FileAnswer commit(WorkspaceMode mode, String message, String... paths) throws Exception {
        return new WorkspaceFiles(() -> mode)
                .answer(new Workspace(root), new FileQuestion.CommitChanges(List.of(paths)), message)
                .answer();
    }

    private String refused(String message, String... paths) throws Exception {
        String before = said(root, "rev-parse", "HEAD");
        String status = said(root, "status", "--porcelain");
        FileAnswer answer = commit(WorkspaceMode.USER, message, paths);
        assertThat(said(root, "rev-parse", "HEAD")).isEqualTo(before);
        assertThat(said(root, "status", "--porcelain")).isEqualTo(status);
        assertThat(answer).isInstanceOf(FileAnswer.Refused.class);
        return ((FileAnswer.Refused) answer).failure().message();
    }

    private static String said(Path directory, String... arguments) {
        return Git.in(directory).ask(arguments).text();
    }

    private void script(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\ntouch '" + temporary.resolve("ran") + "'\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    @DisplayName(
            "the chosen files are committed as they are: changed, new and deleted ones; what else is staged stays staged")
    void chosenFiles() throws Exception {
        Files.writeString(root.resolve("a.txt"), "two\n");
        Files.delete(root.resolve("b.txt"));
        Files.createDirectories(root.resolve("new"));
        Files.writeString(root.resolve("new/[ü] *.txt"), "n\n");
        Files.writeString(root.resolve("staged.txt"), "s\n");
        Files.writeString(root.resolve("left.txt"), "l\n");
        repository.git("add", "staged.txt");

        FileAnswer answer = commit(WorkspaceMode.USER, "Mend it\n\nBecause.\n", "a.txt", "b.txt", "new/[ü] *.txt");

        assertThat(answer)
                .isEqualTo(new FileAnswer.ChangesCommitted(
                        said(root, "rev-parse", "--short", "HEAD").strip()));
        assertThat(said(root, "log", "-1", "--format=%an <%ae>|%B"))
                .contains("Ada <ada@example.org>|Mend it\n\nBecause.");
        assertThat(said(root, "show", "--name-status", "--format=", "HEAD"))
                .contains("M\ta.txt", "D\tb.txt", "A\tnew/[ü] *.txt")
                .doesNotContain("staged.txt");
        assertThat(said(root, "status", "--porcelain")).contains("A  staged.txt", "?? left.txt");
    }

    @Test
    @DisplayName("a repository that wants hooks, filters or a signature is told of, and nothing of it runs")
    void runsNothing() throws Exception {
        Files.writeString(root.resolve("a.txt"), "two\n");
        script(root.resolve(".git/hooks/pre-commit"));
        assertThat(refused("x", "a.txt")).contains("hooks", "pre-commit", "terminal");
        Files.delete(root.resolve(".git/hooks/pre-commit"));

        script(root.resolve("tools/commit-msg"));
        repository.git("config", "core.hooksPath", "tools");
        assertThat(refused("x", "a.txt")).contains("commit-msg");
        repository.git("config", "--unset", "core.hooksPath");

        repository.git("config", "filter.f.clean", "touch " + temporary.resolve("ran"));
        assertThat(refused("x", "a.txt")).contains("content filters");
        repository.git("config", "--remove-section", "filter.f");

        repository.git("config", "commit.gpgSign", "true");
        assertThat(refused("x", "a.txt")).contains("signed");
        assertThat(temporary.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("what git refuses is said, and files that git did not know are unknown to it again")
    void refusals() throws Exception {
        Files.writeString(root.resolve("new.txt"), "n\n");
        assertThat(refused("x", "a.txt")).contains("Git made no commit");
        repository.git("config", "user.name", "");
        assertThat(refused("x", "new.txt")).contains("Git made no commit");
        assertThat(refused(" ", "new.txt")).contains("message");
        assertThat(refused("x", "../work2/a.txt")).isNotBlank();
    }

    @Test
    @DisplayName("only who has the workspace commits")
    void onlyWithTheWorkspace() throws Exception {
        Files.writeString(root.resolve("a.txt"), "two\n");
        for (WorkspaceMode mode : List.of(WorkspaceMode.IDLE, WorkspaceMode.AGENT)) {
            assertThat(commit(mode, "x", "a.txt"))
                    .isInstanceOfSatisfying(
                            FileAnswer.Refused.class,
                            answer -> assertThat(answer.failure().code()).isEqualTo(FailureCode.WORKSPACE_LOCKED));
        }
    }

    @Test
    @DisplayName("a commit is made in the repository that its files are in, and in one at a time")
    void repositoriesBelow() throws Exception {
        Path below = Files.createDirectories(root.resolve("shop"));
        Files.writeString(below.resolve("s.txt"), "s\n");
        TestRepository shop = TestRepository.of(below);
        shop.git("config", "user.name", "Ada");
        shop.git("config", "user.email", "ada@example.org");
        Files.writeString(below.resolve("s.txt"), "t\n");
        Files.writeString(root.resolve("a.txt"), "two\n");

        assertThat(refused("x", "a.txt", "shop/s.txt")).contains("different repositories");
        assertThat(commit(WorkspaceMode.USER, "Below", "shop/s.txt")).isInstanceOf(FileAnswer.ChangesCommitted.class);
        assertThat(said(below, "log", "-1", "--format=%s")).contains("Below");
        assertThat(said(below, "status", "--porcelain")).isBlank();
    }
}
