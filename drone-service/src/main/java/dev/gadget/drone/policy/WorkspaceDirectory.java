package dev.gadget.drone.policy;

import java.nio.file.Path;

/** Tells in which directory this drone works. */
@FunctionalInterface
public interface WorkspaceDirectory {
    Path path();
}
