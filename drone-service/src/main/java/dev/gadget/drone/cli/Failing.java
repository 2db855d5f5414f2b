package dev.gadget.drone.cli;

import dev.gadget.model.OneLine;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Says in one line why a command failed, and by its exit code whether it could help to try again. */
final class Failing {
    /** The code service does not want this drone. With the following ones, and picocli's 2 for a wrong command line: not to be tried again. */
    static final int REFUSED = 3;

    /** Another drone runs in the workspace. */
    static final int IN_USE = 4;

    static final int NOT_ENROLLED = 5;

    private Failing() {}

    /** Prints the line, and returns the exit code. */
    static int with(CommandSpec spec, String message) {
        return with(spec, message, 1);
    }

    static int with(CommandSpec spec, String message, int code) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("gadget-drone: " + OneLine.of(message));
        err.flush();
        return code;
    }
}
