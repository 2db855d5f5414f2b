package dev.gadget.drone.cli;

import dev.gadget.drone.mcp.Fingerprint;
import dev.gadget.drone.mcp.McpConfig;
import dev.gadget.drone.mcp.McpException;
import dev.gadget.drone.mcp.ServerConfig;
import dev.gadget.drone.mcp.TrustedServers;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The MCP servers of one workspace, and what its owner trusts of them. */
record McpWorkspace(GadgetFolder folder, McpConfig config, TrustedServers trusted) {
    static McpWorkspace open(Path workspace) throws McpException {
        GadgetFolder folder = folder(workspace);
        return new McpWorkspace(folder, McpConfig.of(folder), owners());
    }

    /** Without the servers: trust can be taken back although the file with them is damaged. */
    static McpWorkspace openTrust(Path workspace) {
        return new McpWorkspace(folder(workspace), new McpConfig(List.of(), List.of()), owners());
    }

    private static GadgetFolder folder(Path workspace) {
        try {
            return GadgetFolder.existing(workspace);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The workspace " + workspace + " does not exist. Name another with --workspace.", e);
        }
    }

    /** What the owner of this process trusts. */
    static TrustedServers owners() {
        return TrustedServers.ofOwner(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    boolean trusts(ServerConfig server) throws McpException {
        return trusted.trusts(folder.workspace(), server.name(), Fingerprint.of(server, folder.workspace()));
    }

    void trust(ServerConfig server) throws McpException {
        trusted.trust(folder.workspace(), server.name(), Fingerprint.of(server, folder.workspace()), Instant.now());
    }

    boolean untrust(String name) throws McpException {
        return trusted.untrust(folder.workspace(), name);
    }
}
