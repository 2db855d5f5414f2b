package dev.gadget.drone.mcp;

import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolSource;
import dev.gadget.drone.workspace.GadgetFolder;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The trusted servers of this drone's workspace, and their tools. */
@ApplicationScoped
public class McpServers implements ToolSource {
    private static final Duration CLOSES_WITHIN = Duration.ofSeconds(10);

    private volatile List<McpServer> servers = List.of();
    private volatile List<String> notStarted = List.of();

    /** Starts what the owner wrote into the workspace's own folder and trusts; it does not wait for them. */
    public void start(GadgetFolder folder, TrustedServers trusted, Map<String, String> own, String droneVersion) {
        Path workspace = folder.workspace();
        List<String> lines = new ArrayList<>();
        List<McpServer> started = new ArrayList<>();
        McpConfig config;
        try {
            config = McpConfig.of(folder);
        } catch (McpException e) {
            notStarted = List.of("No MCP server is started: " + e.getMessage());
            return;
        }
        config.unusable().forEach(one -> lines.add("MCP server " + one.name() + " cannot be used: " + one.why() + "."));
        for (ServerConfig server : config.servers()) {
            if (server.common().disabled()) {
                continue;
            }
            try {
                if (trusted.trusts(workspace, server.name(), Fingerprint.of(server, workspace))) {
                    started.add(new McpServer(
                            server,
                            workspace,
                            droneVersion,
                            (requests, onEnd) -> open(server, workspace, trusted, own, requests, onEnd)));
                } else {
                    lines.add("MCP server " + server.name() + " is not started: its configuration is not trusted. "
                            + howToTrust(server.name(), workspace));
                }
            } catch (McpException e) {
                lines.add("MCP server " + server.name() + " is not started: " + e.getMessage());
            }
        }
        notStarted = List.copyOf(lines);
        servers = List.copyOf(started);
        started.forEach(McpServer::connection);
    }

    private static String howToTrust(String server, Path workspace) {
        return "Look at it and trust it with: gadget-drone mcp trust " + server + " --workspace " + workspace;
    }

    /** Asked again at each start: the owner may have taken the trust back, and the agent may have changed a file. */
    private static McpChannel open(
            ServerConfig server,
            Path workspace,
            TrustedServers trusted,
            Map<String, String> own,
            ServerRequests requests,
            Runnable onEnd)
            throws McpException {
        if (!trusted.trusts(workspace, server.name(), Fingerprint.of(server, workspace))) {
            throw new McpException(
                    McpException.Kind.UNUSABLE,
                    "it is not trusted any more, or a file of it was changed. " + howToTrust(server.name(), workspace));
        }
        return switch (server) {
            case ServerConfig.Stdio stdio -> StdioChannel.start(stdio, workspace, own, requests, onEnd);
            case ServerConfig.Http http -> new HttpChannel(http, own, requests);
        };
    }

    /** A line for each server; those that are still starting have so long. */
    public List<String> report(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        List<String> lines = new ArrayList<>();
        for (McpServer server : servers) {
            try {
                server.attempt().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                int count = server.tools().size();
                lines.add("MCP server " + server.name() + " runs: " + count + (count == 1 ? " tool." : " tools."));
            } catch (TimeoutException e) {
                lines.add("MCP server " + server.name() + " is still starting.");
            } catch (ExecutionException e) {
                lines.add("MCP server " + server.name() + " failed: "
                        + McpServer.cause(e).getMessage() + ".");
            }
        }
        lines.addAll(notStarted);
        return lines;
    }

    @Override
    public List<Tool> tools() {
        List<Tool> all = new ArrayList<>();
        for (McpServer server : servers) {
            // One that ended comes back in the background; nobody waits here.
            server.connection();
            all.addAll(server.tools());
        }
        return all;
    }

    /** Ends them with all that they started; it returns when nothing of them is left, interrupted or not. */
    @PreDestroy
    public void close() {
        List<Thread> closing = new ArrayList<>();
        for (McpServer server : servers) {
            closing.add(Thread.ofPlatform()
                    .daemon()
                    .name("mcp-close " + server.name())
                    .start(server::close));
        }
        servers = List.of();
        // The thread that worked for the drone is interrupted when the drone is told to stop.
        boolean interrupted = Thread.interrupted();
        for (Thread thread : closing) {
            interrupted |= !joined(thread);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean joined(Thread thread) {
        boolean undisturbed = true;
        long end = System.nanoTime() + CLOSES_WITHIN.toNanos();
        while (thread.isAlive() && System.nanoTime() < end) {
            try {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException e) {
                undisturbed = false;
            }
        }
        return undisturbed;
    }
}
