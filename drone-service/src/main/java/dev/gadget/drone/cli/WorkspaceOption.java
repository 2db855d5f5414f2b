package dev.gadget.drone.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the workspace. */
class WorkspaceOption {
    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            defaultValue = "${env:GADGET_WORKSPACE:-.}",
            description = "the directory to work in (default: the current one; GADGET_WORKSPACE)")
    Path directory = Path.of(".");

    Path path() {
        return directory.toAbsolutePath().normalize();
    }
}
