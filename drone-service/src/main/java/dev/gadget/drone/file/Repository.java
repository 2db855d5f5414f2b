package dev.gadget.drone.file;

import dev.gadget.drone.policy.Repositories;
import dev.gadget.drone.policy.SafeGit;
import dev.gadget.drone.policy.Workspace;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A repository of the workspace, and what its paths begin with there: nothing, or the path of its directory with a slash. */
record Repository(Path root, String prefix) {
    /** Those of this workspace. */
    static List<Repository> of(Workspace workspace) {
        return Repositories.tops(workspace.root()).stream()
                .filter(SafeGit::isRepository)
                .map(root -> new Repository(root, root.equals(workspace.root()) ? "" : workspace.show(root) + "/"))
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
