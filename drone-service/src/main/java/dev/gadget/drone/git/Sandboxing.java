package dev.gadget.drone.git;

import java.util.List;

/** A way to run git in a sandbox. */
@FunctionalInterface
public interface Sandboxing {
    /**
     * A command in the sandbox.
     *
     * @param line the command line that runs it there
     * @param left is run when it is over
     */
    record Inside(List<String> line, Runnable left) {}

    /** This command in the sandbox, to be run once. */
    Inside enter(List<String> command);
}
