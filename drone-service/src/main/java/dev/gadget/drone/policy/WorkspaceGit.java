package dev.gadget.drone.policy;

import dev.gadget.drone.git.Git;
import dev.gadget.drone.git.GitFailedException;
import dev.gadget.drone.git.Sandboxing;
import java.nio.file.Path;
import java.util.List;

/**
 * Git for the repositories of a workspace, in which an agent can have written anything: it runs in the sandbox, so that neither what
 * a repository configures nor where it says that its parts are reaches more than a command of the agent. Where no sandbox works,
 * a repository with parts outside of the workspace is refused.
 */
public final class WorkspaceGit {
    private WorkspaceGit() {}

    /** Git at this directory, which only looks: nothing is written. It throws {@link GitFailedException} when git is not to look there. */
    public static Git toRead(Workspace workspace, Path directory) {
        Git git = git(workspace, directory, false, List.of());
        return git.without(git.filters());
    }

    /**
     * Git at this directory, which changes its repository, but none of the settings and hooks there.
     *
     * @param freed of what is otherwise kept from changing, what it may change or remove
     */
    public static Git toWrite(Workspace workspace, Path directory, Path... freed) {
        List<String> filters = git(workspace, directory, false, List.of()).filters();
        return git(workspace, directory, true, List.of(freed)).without(filters);
    }

    private static Git git(Workspace workspace, Path directory, boolean writes, List<Path> freed) {
        Git git = Git.in(directory).fixed();
        Sandbox sandbox = workspace.sandbox();
        if (!sandbox.works()) {
            RepositoryParts.requireInside(workspace.root(), directory);
            return git;
        }
        GitSettings owner = GitSettings.of(directory);
        return git.with("GIT_CONFIG_GLOBAL", GitSettings.INSIDE.toString()).inSandbox(command -> {
            List<String> whole = owner.before(command);
            if (!writes) {
                return new Sandboxing.Inside(sandbox.wrapToLook(workspace, directory, owner, whole), () -> {});
            }
            KeptPaths kept = KeptPaths.enter(workspace);
            try {
                return new Sandboxing.Inside(
                        sandbox.wrapToWrite(workspace, directory, owner, kept.without(freed), whole), kept::leave);
            } catch (RuntimeException failure) {
                kept.leave();
                throw failure;
            }
        });
    }
}
