package dev.gadget.drone.cli;

import dev.gadget.drone.mcp.McpException;
import dev.gadget.drone.mcp.ServerConfig;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Trusts MCP servers exactly as they are configured now. */
@Command(
        name = "trust",
        description = "Trusts a server, or all of them, exactly as configured now; the drone starts it from then on.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
public class McpTrustCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    WorkspaceOption workspace = new WorkspaceOption();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the server (default: all that are not trusted)")
    @Nullable
    String name;

    @Override
    public Integer call() {
        // No protection, only a guard against a mistake: this is for the person, not for what the agent runs.
        if (System.getenv("GADGET_CALL") != null) {
            return Failing.with(spec, "This is a command of the agent; only a person can trust a server.");
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            McpWorkspace mcp = McpWorkspace.open(workspace.path());
            for (ServerConfig server : chosen(mcp)) {
                mcp.trust(server);
                out.println(server.name() + " is trusted now.");
                McpDescription.of(server, mcp.folder().workspace()).forEach(line -> out.println("    " + line));
            }
            out.println("A drone that runs takes it up when it is started again.");
            out.flush();
            return 0;
        } catch (IllegalArgumentException | McpException e) {
            return Failing.with(spec, String.valueOf(e.getMessage()));
        }
    }

    private List<ServerConfig> chosen(McpWorkspace mcp) throws McpException {
        List<ServerConfig> chosen = new ArrayList<>();
        for (ServerConfig server : mcp.config().servers()) {
            if (name == null ? !mcp.trusts(server) : server.name().equals(name)) {
                chosen.add(server);
            }
        }
        if (!chosen.isEmpty()) {
            return chosen;
        }
        if (name == null) {
            throw new IllegalArgumentException("There is nothing to trust: "
                    + mcp.folder().mcpFile() + " names no server that can be used and is not trusted yet.");
        }
        mcp.config().unusable().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .ifPresent(one -> {
                    throw new IllegalArgumentException(name + " cannot be used: " + one.why() + ".");
                });
        String known = mcp.config().servers().stream().map(ServerConfig::name).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("There is no server '" + name + "' in "
                + mcp.folder().mcpFile() + "; it names " + (known.isEmpty() ? "none" : known) + ".");
    }
}
