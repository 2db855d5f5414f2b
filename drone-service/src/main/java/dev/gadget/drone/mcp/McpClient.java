package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.mcp.McpException.Kind;
import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is said on a connection: the greeting, which tools there are, a call of one. */
final class McpClient {
    static final int MAX_TOOLS = 128;
    private static final int MAX_PAGES = 32;
    private static final int MAX_CURSOR = 4096;
    private static final String VERSION = "2025-06-18";

    /** Of tools these say the same. */
    private static final Set<String> SPOKEN = Set.of("2024-11-05", "2025-03-26", VERSION, "2025-11-25");

    private static final CancelSignal NEVER = new CancelSignal();

    private final McpChannel channel;
    private final boolean tools;

    private McpClient(McpChannel channel, boolean tools) {
        this.channel = channel;
        this.tools = tools;
    }

    /** Greets a server on a fresh connection. */
    static McpClient greet(McpChannel channel, String droneVersion, boolean tellsWorkspace, Duration limit)
            throws McpException, InterruptedException {
        ObjectNode params = Json.object().put("protocolVersion", VERSION);
        ObjectNode capabilities = params.putObject("capabilities");
        if (tellsWorkspace) {
            capabilities.putObject("roots");
        }
        params.putObject("clientInfo").put("name", "gadget-drone").put("version", droneVersion);
        JsonNode welcome = channel.request("initialize", params, limit, NEVER);
        String version = welcome.path("protocolVersion").asText("");
        if (!SPOKEN.contains(version)) {
            throw new McpException(
                    Kind.REFUSED,
                    "speaks version " + (version.isEmpty() ? "(none)" : Shown.text(version, 40))
                            + " of the protocol; the drone speaks " + VERSION + " and those next to it");
        }
        channel.agreed(version);
        channel.tell("notifications/initialized", Json.object());
        return new McpClient(channel, welcome.path("capabilities").has("tools"));
    }

    /** Its tools as it describes them, at most {@value #MAX_TOOLS} and one more, which tells that there are too many. */
    List<JsonNode> tools(Duration limit) throws McpException, InterruptedException {
        List<JsonNode> found = new ArrayList<>();
        ObjectNode params = Json.object();
        for (int page = 0; tools && page < MAX_PAGES && found.size() <= MAX_TOOLS; page++) {
            JsonNode result = channel.request("tools/list", params, limit, NEVER);
            if (!result.path("tools").isArray()) {
                throw new McpException(Kind.REFUSED, "answered the question for its tools without a list of them");
            }
            for (JsonNode tool : result.path("tools")) {
                if (found.size() <= MAX_TOOLS) {
                    found.add(tool);
                }
            }
            String cursor = result.path("nextCursor").asText("");
            if (cursor.isEmpty() || cursor.length() > MAX_CURSOR) {
                break;
            }
            params = Json.object().put("cursor", cursor);
        }
        return found;
    }

    JsonNode call(String tool, Map<String, Object> arguments, Duration limit, CancelSignal cancel)
            throws McpException, InterruptedException {
        ObjectNode params = Json.object().put("name", tool);
        params.set("arguments", Json.MAPPER.valueToTree(arguments));
        return channel.request("tools/call", params, limit, cancel);
    }

    boolean alive() {
        return channel.alive();
    }
}
