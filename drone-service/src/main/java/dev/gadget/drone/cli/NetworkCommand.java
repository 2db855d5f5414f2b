package dev.gadget.drone.cli;

import picocli.CommandLine.Command;

/** What the owner says of the network that commands reach. */
@Command(
        name = "network",
        description = "The hosts that the agent's commands reach from the sandbox, in .gadget/policy.json.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {NetworkListCommand.class, NetworkAllowCommand.class, NetworkDenyCommand.class},
        synopsisSubcommandLabel = "COMMAND")
public class NetworkCommand {}
