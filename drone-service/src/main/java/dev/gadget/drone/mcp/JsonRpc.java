package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The messages of JSON-RPC 2.0. */
final class JsonRpc {
    private static final int MAX_ERROR = 2000;

    private JsonRpc() {}

    static ObjectNode request(long id, String method, ObjectNode params) {
        ObjectNode message = notification(method, params);
        message.put("id", id);
        return message;
    }

    static ObjectNode notification(String method, ObjectNode params) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
        if (!params.isEmpty()) {
            message.set("params", params);
        }
        return message;
    }

    static ObjectNode result(JsonNode id, JsonNode result) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        message.set("id", id);
        message.set("result", result);
        return message;
    }

    static ObjectNode methodNotFound(JsonNode id, String method) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        message.set("id", id);
        message.putObject("error").put("code", -32601).put("message", "Not offered: " + Shown.text(method, 100));
        return message;
    }

    static ObjectNode cancelled(long id, String why) {
        return notification(
                "notifications/cancelled", Json.object().put("requestId", id).put("reason", why));
    }

    static boolean isResponse(JsonNode message) {
        return message.isObject()
                && !message.has("method")
                && message.path("id").canConvertToLong();
    }

    /** The result of a response, or the error as what it means. */
    static JsonNode resultOf(JsonNode response) throws McpException {
        JsonNode error = response.path("error");
        if (error.isObject()) {
            throw new McpException(
                    McpException.Kind.REFUSED,
                    "answered with error " + error.path("code").asInt() + ": "
                            + Shown.text(error.path("message").asText("no message"), MAX_ERROR));
        }
        if (!response.path("result").isObject()) {
            throw new McpException(McpException.Kind.REFUSED, "answered with neither a result nor an error");
        }
        return response.path("result");
    }
}
