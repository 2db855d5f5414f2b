package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Optional;

/** What a server may want of the drone: a sign of life, and where it works. Models, people and files are not lent out. */
final class ServerRequests {
    private final Path workspace;
    private final Runnable toolsChanged;

    ServerRequests(Path workspace, Runnable toolsChanged) {
        this.workspace = workspace;
        this.toolsChanged = toolsChanged;
    }

    /** Takes a message that is no response; what is to be answered, when it wants an answer. */
    Optional<ObjectNode> take(JsonNode message) {
        String method = message.path("method").asText("");
        JsonNode id = message.path("id");
        if (method.isEmpty()) {
            return Optional.empty();
        }
        if (!id.isValueNode() || id.isNull()) {
            if (method.equals("notifications/tools/list_changed")) {
                toolsChanged.run();
            }
            return Optional.empty();
        }
        return Optional.of(
                switch (method) {
                    case "ping" -> JsonRpc.result(id, Json.object());
                    case "roots/list" -> JsonRpc.result(id, roots());
                    default -> JsonRpc.methodNotFound(id, method);
                });
    }

    private ObjectNode roots() {
        ObjectNode roots = Json.object();
        roots.putArray("roots")
                .addObject()
                .put("uri", workspace.toUri().toString())
                .put("name", "workspace");
        return roots;
    }
}
