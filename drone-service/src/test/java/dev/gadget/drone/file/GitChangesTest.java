package dev.gadget.drone.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.file.ChangedFile;
import dev.gadget.model.file.FileAnswer;
import dev.gadget.model.file.FileQuestion;
import dev.gadget.model.file.FolderEntry;
import dev.gadget.model.file.GitStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a workspace differs from its last commit, in real repositories. */
class GitChangesTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void make() throws IOException {
        root = Files.createDirectories(temporary.resolve("work"));
        Files.createDirectories(root.resolve("src"));
        Files.writeString(root.resolve("src/a.txt"), "one\ntwo\n");
        Files.writeString(root.resolve("src/b.txt"), "b\n");
        Files.writeString(root.resolve("c.txt"), "c\n");
    }

    private Reply ask(FileQuestion question) throws Exception {
        return new WorkspaceFiles(() -> WorkspaceMode.IDLE).answer(new Workspace(root), question, "");
    }

    private FileAnswer.ChangesListed changes() throws Exception {
        return (FileAnswer.ChangesListed) ask(new FileQuestion.ListChanges()).answer();
    }

    private String diff(@Nullable String path) throws Exception {
        Reply reply = ask(new FileQuestion.ReadDiff(path));
        assertThat(reply.answer()).isEqualTo(new FileAnswer.DiffRead(true, true));
        return reply.text();
    }

    @Test
    @DisplayName("where git keeps no versions there are no changes, and it is said")
    void noRepository() throws Exception {
        assertThat(changes()).isEqualTo(new FileAnswer.ChangesListed(false, java.util.List.of(), true));
        assertThat(ask(new FileQuestion.ReadDiff(null)).answer()).isEqualTo(new FileAnswer.DiffRead(false, true));
    }

    @Test
    @DisplayName("each changed file has its letter, staged or not; folders show what is below them")
    void letters() throws Exception {
        TestRepository repository = TestRepository.of(root);
        Files.writeString(root.resolve("src/a.txt"), "one\n2\n");
        Files.delete(root.resolve("src/b.txt"));
        repository.git("rm", "-q", "--cached", "c.txt");
        Files.createDirectories(root.resolve("new/deep"));
        Files.writeString(root.resolve("new/deep/ü x.txt"), "n");
        Files.writeString(root.resolve("added.txt"), "n");
        repository.git("add", "added.txt");

        assertThat(changes().files())
                .containsExactlyInAnyOrder(
                        new ChangedFile("src/a.txt", GitStatus.MODIFIED),
                        new ChangedFile("src/b.txt", GitStatus.DELETED),
                        new ChangedFile("c.txt", GitStatus.MODIFIED),
                        new ChangedFile("new/deep/ü x.txt", GitStatus.UNTRACKED),
                        new ChangedFile("added.txt", GitStatus.ADDED));
        assertThat(statuses("."))
                .isEqualTo(Map.of(
                        "src", GitStatus.MODIFIED,
                        "new", GitStatus.UNTRACKED,
                        "c.txt", GitStatus.MODIFIED,
                        "added.txt", GitStatus.ADDED));
        assertThat(statuses("src")).isEqualTo(Map.of("a.txt", GitStatus.MODIFIED));
        assertThat(statuses("new/deep")).isEqualTo(Map.of("ü x.txt", GitStatus.UNTRACKED));
    }

    private Map<String, GitStatus> statuses(String folder) throws Exception {
        Map<String, GitStatus> statuses = new HashMap<>();
        for (FolderEntry entry : ((FileAnswer.FolderListed)
                        ask(new FileQuestion.ListFolder(folder)).answer())
                .entries()) {
            if (entry.status() != null) {
                statuses.put(entry.name(), entry.status());
            }
        }
        return statuses;
    }

    @Test
    @DisplayName("a merge that is not decided shows as such")
    void conflict() throws Exception {
        TestRepository repository = TestRepository.of(root);
        repository.git("checkout", "-q", "-b", "other");
        Files.writeString(root.resolve("c.txt"), "theirs\n");
        repository.git("commit", "-q", "-a", "-m", "theirs");
        repository.git("checkout", "-q", "trunk");
        Files.writeString(root.resolve("c.txt"), "ours\n");
        repository.git("commit", "-q", "-a", "-m", "ours");
        assertThat(new ProcessBuilder("git", "merge", "-q", "other")
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isEqualTo(1);

        assertThat(changes().files()).containsExactly(new ChangedFile("c.txt", GitStatus.CONFLICTED));
        assertThat(diff("c.txt")).contains("+<<<<<<< HEAD");
    }

    @Test
    @DisplayName("the diff is to the last commit, of one file or of all, new files with it")
    void diffs() throws Exception {
        TestRepository repository = TestRepository.of(root);
        Files.writeString(root.resolve("src/a.txt"), "one\n2\n");
        repository.git("add", "--all");
        Files.writeString(root.resolve("new [1].txt"), "first\nlast");

        assertThat(diff("src/a.txt")).contains("--- a/src/a.txt", "+++ b/src/a.txt", "-two\n+2\n");
        assertThat(diff("new [1].txt")).isEqualTo("""
                diff --git a/new [1].txt b/new [1].txt
                new file mode 100644
                --- /dev/null
                +++ b/new [1].txt
                @@ -0,0 +1,2 @@
                +first
                +last
                \\ No newline at end of file
                """);
        assertThat(diff(null)).contains("-two\n+2\n", "+first\n+last\n");
        assertThat(diff("src/b.txt")).isEmpty();
    }

    @Test
    @DisplayName("before the first commit everything is new")
    void noCommit() throws Exception {
        var repository = new TestRepository(root);
        repository.git("init", "-q");
        repository.git("add", "c.txt");

        assertThat(changes().files()).contains(new ChangedFile("c.txt", GitStatus.ADDED));
        assertThat(diff("c.txt")).contains("new file mode", "+c\n");
    }

    @Test
    @DisplayName("a diff that is too long ends with a whole line, and it is said")
    void longDiff() throws Exception {
        TestRepository.of(root);
        Files.writeString(root.resolve("c.txt"), "äöü 0123456789\n".repeat(100_000));

        Reply reply = ask(new FileQuestion.ReadDiff(null));

        assertThat(reply.answer()).isEqualTo(new FileAnswer.DiffRead(true, false));
        assertThat(reply.text()).endsWith("+äöü 0123456789\n");
        assertThat(reply.text().getBytes(StandardCharsets.UTF_8).length)
                .isBetween(Protocol.MAX_TEXT_BYTES - 100, Protocol.MAX_TEXT_BYTES);
    }

    @Test
    @DisplayName("A11: nothing that a hostile repository configures is run, and its settings move nothing")
    void hostile() throws Exception {
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("c.txt"), "secret\n");
        Path proof = outside.resolve("pwned");
        Path script = outside.resolve("evil.sh");
        Files.writeString(script, "#!/bin/sh\ntouch " + proof + "\ncat\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Files.writeString(root.resolve(".gitattributes"), "* filter=evil diff=evil\n");
        TestRepository repository = TestRepository.of(root);
        for (String key : new String[] {
            "core.fsmonitor",
            "core.pager",
            "core.sshCommand",
            "diff.external",
            "diff.evil.textconv",
            "diff.evil.command",
            "filter.evil.clean",
            "filter.evil.smudge",
            "pager.diff",
            "pager.status"
        }) {
            repository.git("config", key, script.toString());
        }
        repository.git("config", "filter.evil.required", "true");
        repository.git("config", "core.worktree", outside.toString());
        Files.writeString(root.resolve("c.txt"), "changed\n");

        assertThat(changes().files()).containsExactly(new ChangedFile("c.txt", GitStatus.MODIFIED));
        assertThat(diff(null)).contains("-c\n+changed\n").doesNotContain("secret");
        assertThat(proof).doesNotExist();
    }

    @Test
    @DisplayName("repositories below the workspace are looked at as well, and are no new files of the one above")
    void below() throws Exception {
        Path shop = Files.createDirectories(root.resolve("shop/src"));
        Files.writeString(shop.resolve("cart.txt"), "one\n");
        for (Path repository : java.util.List.of(root, root.resolve("shop"))) {
            Git git = Git.in(repository)
                    .with("GIT_AUTHOR_NAME", "t")
                    .with("GIT_AUTHOR_EMAIL", "t@t")
                    .with("GIT_COMMITTER_NAME", "t")
                    .with("GIT_COMMITTER_EMAIL", "t@t");
            git.ask("init", "--quiet");
            git.ask("add", repository.equals(root) ? "src" : ".");
            git.ask("commit", "--quiet", "-m", "first");
        }
        Files.writeString(shop.resolve("cart.txt"), "two\n");
        Files.writeString(shop.resolve("new.txt"), "new\n");
        assertThat(changes().files())
                .extracting(ChangedFile::path)
                .containsExactlyInAnyOrder("c.txt", "shop/src/cart.txt", "shop/src/new.txt");
        assertThat(diff("shop/src/cart.txt"))
                .contains("--- a/shop/src/cart.txt", "-one", "+two")
                .doesNotContain("new.txt");
        assertThat(diff("shop/src/new.txt")).contains("+++ b/shop/src/new.txt", "+new");
        assertThat(diff(null)).contains("+two", "+++ b/c.txt", "+++ b/shop/src/new.txt");
    }
}
