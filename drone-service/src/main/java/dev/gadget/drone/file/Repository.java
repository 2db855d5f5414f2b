package dev.gadget.drone.file;

import dev.gadget.drone.policy.Repositories;
import dev.gadget.drone.policy.SafeGit;
import dev.gadget.drone.policy.Workspace;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A repository where the work is, and what its paths begin with there: nothing, or the path of its directory with a slash. */
record Repository(Path root, String prefix) {
    /** Those where the work of this workspace is, without the working trees of sessions: each of these is shown in its own. */
    static List<Repository> of(Workspace workspace) {
        Path base = workspace.base();
        Path worktrees = workspace.root().resolve(Workspace.WORKTREES);
        return Repositories.tops(base).stream()
                .filter(root -> root.equals(base) || !root.startsWith(worktrees))
                .filter(SafeGit::isRepository)
                .map(root -> new Repository(root, root.equals(base) ? "" : workspace.show(root) + "/"))
                .toList();
    }

    /** The innermost one that this path is in. */
    static Optional<Repository> innermost(List<Repository> all, String path) {
        return all.stream()
                .filter(repository -> repository.holds(path))
                .max(Comparator.comparingInt(repository -> repository.prefix().length()));
    }

    private boolean holds(String path) {
        return (path + "/").startsWith(prefix);
    }

    /** A path of the workspace as this repository names it. */
    String own(String path) {
        String own = path.length() < prefix.length() || path.equals(".") ? "" : path.substring(prefix.length());
        return own.isEmpty() ? "." : own;
    }
}
