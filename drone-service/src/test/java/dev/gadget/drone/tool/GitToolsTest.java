package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Git as tools, on real repositories; A11: what a repository configures is not run. */
class GitToolsTest {
    @TempDir
    Path directory;

    private Git git;

    @BeforeEach
    void repository() throws Exception {
        git = Git.in(directory);
        git.ask("init", "--quiet", "--initial-branch=main");
        git.ask("config", "user.name", "Tester");
        git.ask("config", "user.email", "tester@localhost");
        Files.writeString(directory.resolve("a.txt"), "one\n");
        git.ask("add", ".");
        git.ask("commit", "--quiet", "-m", "first");
    }

    private ToolResult run(Tool tool, Object... pairs) throws Exception {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        try {
            return tool.run(
                    new ToolInvocation("c", parameters, new Workspace(directory), text -> {}, new CancelSignal()));
        } catch (ToolFailedException e) {
            return ToolResult.failed(String.valueOf(e.getMessage()));
        }
    }

    @Test
    @DisplayName("status, diff, log, branch, commit")
    void work() throws Exception {
        assertThat(run(new GitStatusTool()).text()).isEqualTo("## main");
        Files.writeString(directory.resolve("a.txt"), "two\n");
        Files.writeString(directory.resolve("b.txt"), "new\n");
        assertThat(run(new GitStatusTool()).text()).contains(" M a.txt", "?? b.txt");
        assertThat(run(new GitDiffTool()).text()).contains("-one", "+two");
        assertThat(run(new GitDiffTool(), "path", "b.txt").text()).isEqualTo("[no changes]");
        assertThat(run(new GitBranchTool(), "name", "work", "create", true).text())
                .isEqualTo("On branch work.");
        assertThat(run(new GitCommitTool(), "message", "Second\n\nWhy", "paths", "a.txt\nb.txt")
                        .text())
                .contains("Second", "2 files changed");
        assertThat(git.ask("log", "-1", "--format=%B").text().strip()).isEqualTo("Second\n\nWhy");
        assertThat(run(new GitLogTool(), "count", 1).text())
                .contains("Tester: Second")
                .doesNotContain("first");
        assertThat(run(new GitDiffTool(), "revision", "HEAD").text()).contains("+new");
        assertThat(run(new GitBranchTool(), "name", "main").ok()).isTrue();
        assertThat(directory.resolve("b.txt")).doesNotExist();
        Files.delete(directory.resolve("a.txt"));
        assertThat(run(new GitCommitTool(), "message", "Gone", "paths", ".").ok())
                .isTrue();
        assertThat(git.ask("ls-files").text()).isEmpty();
    }

    @Test
    @DisplayName("what cannot be done is said")
    void refusals() throws Exception {
        assertThat(run(new GitBranchTool(), "name", "nowhere").text()).contains("The branches are: main");
        assertThat(run(new GitBranchTool(), "name", "-x").text()).contains("is not a name");
        assertThat(run(new GitCommitTool(), "message", " ", "paths", "a.txt").text())
                .contains("`message` is empty");
        assertThat(run(new GitCommitTool(), "message", "m", "paths", "no.txt").ok())
                .isFalse();
        assertThat(run(new GitDiffTool(), "revision", "--output=x").ok()).isFalse();
        assertThat(directory.resolve("x")).doesNotExist();
        Files.createDirectory(directory.resolve("plain"));
        assertThat(run(new GitStatusTool(), "repository", "plain").text()).contains("is not a git repository");
    }

    @Test
    @DisplayName("A11: hooks, monitors, filters, external diffs and signing programs of the repository are not run")
    void hostile() throws Exception {
        Path marker = directory.resolve(".git/ran");
        String touch = "touch " + marker;
        for (String hook :
                new String[] {"pre-commit", "post-commit", "post-checkout", "commit-msg", "reference-transaction"}) {
            Path file = directory.resolve(".git/hooks/" + hook);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "#!/bin/sh\n" + touch + "\n");
            file.toFile().setExecutable(true);
        }
        Path program = directory.resolve(".git/evil");
        Files.writeString(program, "#!/bin/sh\n" + touch + "\ncat\n");
        program.toFile().setExecutable(true);
        for (String key : new String[] {
            "core.fsmonitor",
            "core.pager",
            "core.editor",
            "diff.external",
            "gpg.program",
            "diff.evil.textconv",
            "diff.evil.command"
        }) {
            git.ask("config", key, program.toString());
        }
        git.ask("config", "commit.gpgSign", "true");
        git.ask("config", "log.showSignature", "true");
        Files.writeString(directory.resolve(".gitattributes"), "*.txt diff=evil\n");
        Files.writeString(directory.resolve("a.txt"), "two\n");
        run(new GitStatusTool());
        run(new GitDiffTool());
        run(new GitDiffTool(), "revision", "HEAD");
        run(new GitLogTool());
        assertThat(run(new GitCommitTool(), "message", "m", "paths", ".").ok()).isTrue();
        run(new GitBranchTool(), "name", "other", "create", true);
        assertThat(marker).doesNotExist();
        git.ask("config", "filter.evil.clean", program.toString());
        Files.writeString(directory.resolve(".gitattributes"), "*.txt filter=evil\n");
        Files.writeString(directory.resolve("a.txt"), "three\n");
        run(new GitStatusTool());
        assertThat(run(new GitCommitTool(), "message", "m", "paths", ".").text())
                .contains("content filters");
        assertThat(marker).doesNotExist();
    }
}
