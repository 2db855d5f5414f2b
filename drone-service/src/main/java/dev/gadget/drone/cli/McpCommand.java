package dev.gadget.drone.cli;

import picocli.CommandLine.Command;

/** What the owner says of MCP servers. */
@Command(
        name = "mcp",
        description = "MCP servers of a workspace: which there are in .gadget/mcp.json, and which you trust.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {McpListCommand.class, McpTrustCommand.class, McpUntrustCommand.class},
        synopsisSubcommandLabel = "COMMAND")
public class McpCommand {}
