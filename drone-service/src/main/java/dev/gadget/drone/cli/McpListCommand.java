package dev.gadget.drone.cli;

import dev.gadget.drone.mcp.McpException;
import dev.gadget.drone.mcp.ServerConfig;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which MCP servers a workspace has and which of them are trusted. */
@Command(
        name = "list",
        description = "Says which MCP servers .gadget/mcp.json names, what they are, and which you trust.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class McpListCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            McpWorkspace mcp = McpWorkspace.open(workspace.path());
            for (ServerConfig server : mcp.config().servers()) {
                out.println(server.name() + "  "
                        + (server.common().disabled() ? "disabled" : mcp.trusts(server) ? "trusted" : "not trusted"));
                McpDescription.of(server, mcp.folder().workspace()).forEach(line -> out.println("    " + line));
            }
            mcp.config().unusable().forEach(one -> out.println(one.name() + "  cannot be used: " + one.why()));
            if (mcp.config().servers().isEmpty() && mcp.config().unusable().isEmpty()) {
                out.println("No MCP servers: " + mcp.folder().mcpFile() + " names none.");
            }
            if (Files.exists(mcp.folder().workspace().resolve(".mcp.json"))) {
                out.println("The .mcp.json of the workspace is not used: copy what you want to "
                        + mcp.folder().mcpFile());
            }
            out.flush();
            return 0;
        } catch (IllegalArgumentException | McpException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }
}
