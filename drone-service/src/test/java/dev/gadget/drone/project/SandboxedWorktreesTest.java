package dev.gadget.drone.project;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.policy.Sandbox;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.workspace.GadgetFolder;
import dev.gadget.model.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Working trees of sessions, by git in the sandbox")
class SandboxedWorktreesTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("are made, tell their branch, and are taken away; a link in their place is refused")
    void worktrees() throws Exception {
        Path root = Files.createDirectory(directory.toRealPath().resolve("workspace"));
        Sandbox sandbox = Sandbox.find(Sandbox.Mode.REQUIRE, false, List.of(), GadgetFolder.open(root));
        assumeTrue(sandbox.works(), sandbox.report());
        Path home = Files.createDirectory(root.resolve("shop"));
        Git git = Git.in(home);
        git.ask("init", "--quiet", "--initial-branch=main");
        git.ask("-c", "user.name=T", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "one");
        Workspace workspace = new Workspace(root, sandbox);
        Worktrees worktrees = new Worktrees(workspace);
        SessionId session = SessionId.random();

        Path place = worktrees.open(home, "shop", session, "Cart");
        assertThat(worktrees.open(home, "shop", session, "Cart")).isEqualTo(place);
        assertThat(Branch.of(workspace, place).name()).isEqualTo(Worktrees.branch(session, "Cart"));
        assertThat(worktrees.remove(home, "shop", session)).get().asString().contains("is removed");
        assertThat(place).doesNotExist();
        assertThat(git.ask("worktree", "list", "--porcelain").text()).doesNotContain(place.toString());

        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createDirectory(elsewhere.resolve(".git"));
        Files.createSymbolicLink(place, elsewhere);
        assertThatThrownBy(() -> worktrees.open(home, "shop", session, "Cart"))
                .isInstanceOf(ProjectFailedException.class)
                .hasMessageContaining("leads elsewhere");
    }
}
