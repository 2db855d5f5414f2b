package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a server may want of the drone: a sign of life and, on this machine, where it works. Models, people and files are not lent
 * out.
 */
final class ServerRequests {
    private final Optional<Path> workspace;
    private final Runnable toolsChanged;

    /**
     * @param workspace what is told of where the drone works; empty for nothing
     */
    ServerRequests(Optional<Path> workspace, Runnable toolsChanged) {
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
        if (method.equals("ping")) {
            return Optional.of(JsonRpc.result(id, Json.object()));
        }
        return Optional.of(workspace
                .filter(_ -> method.equals("roots/list"))
                .map(path -> JsonRpc.result(id, roots(path)))
                .orElseGet(() -> JsonRpc.methodNotFound(id, method)));
    }

    /** Whether a server is told where the drone works, if it asks. */
    boolean tellsWorkspace() {
        return workspace.isPresent();
    }

    private static ObjectNode roots(Path workspace) {
        ObjectNode roots = Json.object();
        roots.putArray("roots")
                .addObject()
                .put("uri", workspace.toUri().toString())
                .put("name", "workspace");
        return roots;
    }
}
