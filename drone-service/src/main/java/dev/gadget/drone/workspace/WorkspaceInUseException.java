package dev.gadget.drone.workspace;

import java.nio.file.Path;

/** Another drone runs in the workspace. */
public final class WorkspaceInUseException extends WorkspaceUnusableException {
    private static final long serialVersionUID = 1L;

    WorkspaceInUseException(Path workspace) {
        super("Another drone runs in " + workspace
                + ". One workspace has one drone: stop the other one, or name another directory with --workspace.");
    }
}
