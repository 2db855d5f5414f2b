package dev.gadget.drone.cli;

import dev.gadget.drone.mcp.McpException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes the trust in an MCP server back. */
@Command(
        name = "untrust",
        description = "Takes the trust in a server back; it is not started again.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class McpUntrustCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Parameters(arity = "1", paramLabel = "NAME", description = "the server")
    String name = "";

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            McpWorkspace mcp = McpWorkspace.openTrust(workspace.path());
            if (!mcp.untrust(name)) {
                return Failing.with(
                        spec, "'" + name + "' is not trusted in " + mcp.folder().workspace() + ".");
            }
            out.println(name + " is not trusted any more. If the drone runs, start it again to end the server.");
            out.flush();
            return 0;
        } catch (IllegalArgumentException | McpException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }
}
