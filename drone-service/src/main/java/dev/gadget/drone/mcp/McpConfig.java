package dev.gadget.drone.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.workspace.GadgetFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The servers that a workspace's owner wrote down.
 *
 * @param servers those that can be understood
 * @param unusable those that cannot, and why
 */
public record McpConfig(List<ServerConfig> servers, List<Unusable> unusable) {
    private static final int MAX_BYTES = 256 << 10;
    private static final int MAX_SERVERS = 32;

    public McpConfig {
        servers = List.copyOf(servers);
        unusable = List.copyOf(unusable);
    }

    /** A server of which it cannot be said what it is. */
    public record Unusable(String name, String why) {}

    /** What stands in the workspace's own folder; nothing when there is no such file. */
    public static McpConfig of(GadgetFolder folder) throws McpException {
        return read(folder.mcpFile());
    }

    static McpConfig read(Path file) throws McpException {
        if (!Files.exists(file)) {
            return new McpConfig(List.of(), List.of());
        }
        JsonNode servers = tree(file).path("mcpServers");
        if (!servers.isObject()) {
            throw unreadable(file, "it has no object `mcpServers`");
        }
        if (servers.size() > MAX_SERVERS) {
            throw unreadable(file, "it names " + servers.size() + " servers, and " + MAX_SERVERS + " are the most");
        }
        List<ServerConfig> good = new ArrayList<>();
        List<Unusable> bad = new ArrayList<>();
        servers.properties().forEach(entry -> {
            try {
                good.add(new ServerReader(entry.getKey(), entry.getValue()).read());
            } catch (IllegalArgumentException e) {
                bad.add(new Unusable(Shown.text(entry.getKey(), 64), String.valueOf(e.getMessage())));
            }
        });
        return new McpConfig(good, bad);
    }

    private static JsonNode tree(Path file) throws McpException {
        // Nothing else may be opened: a pipe would hold the drone up for ever.
        if (!Files.isRegularFile(file)) {
            throw unreadable(file, "it is not a file");
        }
        try (InputStream input = Files.newInputStream(file)) {
            byte[] bytes = input.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw unreadable(file, "it is larger than " + (MAX_BYTES >> 10) + " KiB");
            }
            return Json.strict(bytes);
        } catch (JsonProcessingException e) {
            // Only the place: the text around it may hold a password.
            throw unreadable(
                    file,
                    "it is not JSON at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ", or has a key twice there");
        } catch (McpException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()));
        }
    }

    private static McpException unreadable(Path file, String why) {
        return new McpException(
                McpException.Kind.UNUSABLE,
                file + " cannot be used: " + why
                        + ". It looks like {\"mcpServers\": {\"name\": {\"command\": \"/path/of/program\","
                        + " \"args\": []}}}.");
    }
}
