package dev.gadget.drone.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Says in one line why a command failed. */
final class Failing {
    private Failing() {}

    /** Prints the line, and returns the exit code. */
    static int with(CommandSpec spec, String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("gadget-drone: " + message);
        err.flush();
        return 1;
    }
}
