package dev.gadget.drone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.policy.WorkspaceGit;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Git of the drone's own in repositories that a command prepared for it; A9, A11. */
@DisplayName("In a hostile repository the drone's own git")
class HostileRepositoryTest {
    @TempDir
    Path directory;

    private Path root;
    private Path evil;
    private Path outside;
    private Path secret;

    @BeforeEach
    void repositories() throws IOException {
        root = Files.createDirectory(directory.toRealPath().resolve("workspace"));
        outside = Files.createDirectory(directory.toRealPath().resolve("outside"));
        evil = commit(Files.createDirectory(root.resolve("evil")), "a.txt", "one\n");
        secret = commit(
                Files.createTempDirectory(Path.of(System.getProperty("user.home")), ".gadget-git-test"),
                "secrets.txt",
                "hidden words\n");
    }

    @AfterEach
    void removeSecret() throws IOException {
        GadgetFolder.removeAll(secret);
    }

    private static Path commit(Path repository, String file, String content) throws IOException {
        Git git = Git.in(repository);
        git.ask("init", "--quiet", "--initial-branch=main");
        git.ask("config", "user.name", "Tester");
        git.ask("config", "user.email", "tester@localhost");
        Files.writeString(repository.resolve(file), content);
        git.ask("add", ".");
        git.ask("commit", "--quiet", "-m", "the first");
        return repository;
    }

    private Workspace workspace(boolean sandboxed) throws IOException {
        if (!sandboxed) {
            return new Workspace(root);
        }
        Sandbox sandbox = Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root));
        assumeTrue(sandbox.works(), sandbox.report());
        return new Workspace(root, sandbox);
    }

    private ToolResult run(boolean sandboxed, Tool tool, Object... pairs) throws Exception {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("repository", "evil");
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(String.valueOf(pairs[i]), pairs[i + 1]);
        }
        try {
            return tool.run(new ToolInvocation("c", parameters, workspace(sandboxed), text -> {}, new CancelSignal()));
        } catch (ToolFailedException e) {
            return ToolResult.failed(String.valueOf(e.getMessage()));
        }
    }

    private void setting(byte[] text) throws IOException {
        Files.write(evil.resolve(".git/config"), text, StandardOpenOption.APPEND);
    }

    @ParameterizedTest(name = "in a sandbox: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("runs no filter whose name is no text")
    void filterOfBytes(boolean sandboxed) throws Exception {
        Path ran = outside.resolve("ran");
        setting(("[filter \"\u00ff\"]\n\tclean = touch " + ran + " ran; cat\n").getBytes(StandardCharsets.ISO_8859_1));
        Files.write(evil.resolve(".gitattributes"), "*.txt filter=\u00ff\n".getBytes(StandardCharsets.ISO_8859_1));
        Files.writeString(evil.resolve("a.txt"), "two\n");
        assertThat(run(sandboxed, new GitStatusTool()).text()).contains("that are no text");
        assertThat(ran).doesNotExist();
        assertThat(evil.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("does in the sandbox what the repository configures after it was looked at")
    void settingsOfLater() throws Exception {
        Path ran = outside.resolve("ran");
        Git looks = WorkspaceGit.toRead(workspace(true), evil);
        Git writes = WorkspaceGit.toWrite(workspace(true), evil);
        setting(("[filter \"late\"]\n\tclean = touch " + ran + " ran; cat\n").getBytes(StandardCharsets.UTF_8));
        Files.writeString(evil.resolve(".gitattributes"), "*.txt filter=late\n");
        Files.writeString(evil.resolve("a.txt"), "two\n");
        looks.run("status", "--short");
        assertThat(evil.resolve("ran")).doesNotExist();
        writes.run("add", "a.txt");
        assertThat(evil.resolve("ran")).exists();
        assertThat(ran).doesNotExist();
    }

    @ParameterizedTest(name = "in a sandbox: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("does not follow a .git, its parts or its objects out of the workspace")
    void partsElsewhere(boolean sandboxed) throws Exception {
        Path git = evil.resolve(".git");
        Path hidden = secret.resolve(".git");
        String head = Git.in(secret).ask("rev-parse", "HEAD").text().strip();

        Files.createDirectories(git.resolve("objects/info"));
        Files.writeString(git.resolve("objects/info/alternates"), hidden.resolve("objects") + "\n");
        refused(sandboxed, head);
        Files.delete(git.resolve("objects/info/alternates"));

        Files.writeString(git.resolve("commondir"), hidden + "\n");
        refused(sandboxed, "main");

        GadgetFolder.removeAll(git);
        Files.writeString(git, "gitdir: " + hidden + "\n");
        refused(sandboxed, "HEAD");
        assertThat(run(sandboxed, new GitCommitTool(), "message", "mine", "paths", ".")
                        .ok())
                .isFalse();

        Files.delete(git);
        Files.createSymbolicLink(git, hidden);
        refused(sandboxed, "HEAD");
        assertThat(Git.in(secret).ask("log", "--format=%s").text().strip()).isEqualTo("the first");
    }

    private void refused(boolean sandboxed, String revision) throws Exception {
        ToolResult shown = run(sandboxed, new GitDiffTool(), "revision", revision + ":secrets.txt");
        assertThat(shown.ok()).isFalse();
        assertThat(shown.text()).doesNotContain("hidden words");
        ToolResult log = run(sandboxed, new GitLogTool(), "revision", revision);
        assertThat(log.ok()).isFalse();
        if (!sandboxed) {
            assertThat(log.text()).contains("outside the workspace");
        }
    }

    @Test
    @DisplayName("commits and goes to branches in the sandbox, where settings and hooks cannot be written")
    void works() throws Exception {
        Files.writeString(evil.resolve("a.txt"), "two\n");
        assertThat(run(true, new GitStatusTool()).text()).contains("## main", " M a.txt");
        assertThat(run(true, new GitDiffTool()).text()).contains("+two");
        assertThat(run(true, new GitBranchTool(), "name", "work", "create", true)
                        .text())
                .isEqualTo("On branch work.");
        assertThat(run(true, new GitCommitTool(), "message", "Second", "paths", "a.txt")
                        .text())
                .contains("Second");
        assertThat(run(true, new GitLogTool()).text()).contains("Tester: Second", "Tester: the first");
    }
}
