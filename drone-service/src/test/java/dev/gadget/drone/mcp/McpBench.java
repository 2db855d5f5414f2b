package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.policy.Workspace;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.tool.ParameterCheck;
import dev.gadget.drone.tool.Tool;
import dev.gadget.drone.tool.ToolInvocation;
import dev.gadget.drone.tool.ToolResult;
import dev.gadget.drone.tool.Toolbox;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A workspace with MCP servers, an owner who trusts them, and a drone's view of their tools. */
public final class McpBench implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    final Path workspace;
    final Path notes;
    final GadgetFolder folder;
    final TrustedServers trusted;
    final McpServers servers = new McpServers();
    final Toolbox toolbox = new Toolbox(List.of(), List.of(servers));
    final Map<String, String> environment = new HashMap<>(System.getenv());
    final CancelSignal cancel = new CancelSignal();
    private final ObjectNode written = Json.object();

    McpBench(Path directory) throws Exception {
        workspace = Files.createDirectories(directory.resolve("workspace")).toRealPath();
        notes = directory.resolve("notes");
        folder = GadgetFolder.open(workspace);
        trusted = TrustedServers.ofOwner(
                Map.of("XDG_CONFIG_HOME", directory.resolve("config").toString()), directory);
        written.putObject("mcpServers");
    }

    /** The server program, in one of its modes. */
    static ObjectNode program(String mode) {
        ObjectNode server = Json.object()
                .put(
                        "command",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        server.putArray("args")
                .add("-XX:TieredStopAtLevel=1")
                .add("-cp")
                .add(System.getProperty("java.class.path"))
                .add(StdioServerProgram.class.getName())
                .add(mode);
        return server;
    }

    public List<Tool> tools() {
        return servers.tools();
    }

    McpBench with(String name, ObjectNode server) throws Exception {
        if (server.has("command")) {
            server.withObject("/env").put("NOTES", notes.toString());
        }
        written.withObject("/mcpServers").set(name, server);
        Files.write(folder.mcpFile(), Json.bytes(written));
        return this;
    }

    ServerConfig config(String name) throws Exception {
        return McpConfig.of(folder).servers().stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    String fingerprint(String name) throws Exception {
        return Fingerprint.of(config(name), workspace);
    }

    McpBench trust(String name) throws Exception {
        trusted.trust(workspace, name, fingerprint(name), Instant.now());
        return this;
    }

    List<String> start() throws Exception {
        servers.start(folder, trusted, environment, "test");
        return servers.report(PATIENCE);
    }

    /** A drone with one well-behaved server. */
    public static McpBench running(Path directory, String mode) throws Exception {
        McpBench bench = new McpBench(directory).with("one", program(mode)).trust("one");
        List<String> report = bench.start();
        if (!report.getFirst().contains(" runs: ")) {
            bench.close();
            throw new AssertionError(report);
        }
        return bench;
    }

    Tool tool(String name) {
        return toolbox.find(name).orElseThrow(() -> new AssertionError(name + " is not in " + toolbox.names()));
    }

    ToolResult call(String tool, Map<String, Object> parameters) throws Exception {
        return call("one", tool, parameters);
    }

    ToolResult call(String server, String tool, Map<String, Object> parameters) throws Exception {
        Tool found = tool("mcp__" + server + "__" + tool);
        return switch (ParameterCheck.check(found, parameters)) {
            case ParameterCheck.Outcome.Wrong wrong -> ToolResult.failed(wrong.message());
            case ParameterCheck.Outcome.Fine fine ->
                found.run(new ToolInvocation("c", fine.parameters(), new Workspace(workspace), text -> {}, cancel));
        };
    }

    static void await(BooleanSupplier what) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!what.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not come about");
            }
            Thread.sleep(10);
        }
    }

    /** Processes that carry the mark of this bench in their environment. */
    long processes() {
        String mark = "NOTES=" + notes;
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    try {
                        return Files.readString(
                                        Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1)
                                .contains(mark);
                    } catch (IOException e) {
                        return false;
                    }
                })
                .count();
    }

    @Override
    public void close() {
        servers.close();
    }
}
