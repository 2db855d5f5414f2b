package dev.gadget.drone.cli;

import io.quarkus.picocli.runtime.annotations.TopCommand;
import picocli.CommandLine.Command;

/** The program's command line. */
@TopCommand
@Command(
        name = "gadget-drone",
        description = "Works on prompts in a directory of this machine, on behalf of a Gadget code service.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {
            EnrollCommand.class,
            RunCommand.class,
            StatusCommand.class,
            ExamCommand.class,
            McpCommand.class,
            NetworkCommand.class,
            ForwardNetworkCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public class GadgetDrone {}
