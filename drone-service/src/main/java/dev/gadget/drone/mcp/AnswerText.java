package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gadget.drone.process.PlainText;
import dev.gadget.drone.tool.HeadAndTail;
import dev.gadget.drone.tool.ToolResult;

/** What a model is told of the result of a call: text, of bounded length, that steers no terminal. */
final class AnswerText {
    private static final int KEPT_EACH = 16 * 1024;

    private AnswerText() {}

    static ToolResult of(JsonNode result) {
        HeadAndTail kept = new HeadAndTail(KEPT_EACH);
        boolean any = false;
        for (JsonNode item : result.path("content")) {
            kept.add((any ? "\n" : "") + new PlainText().plain(text(item)));
            any = true;
        }
        if (!any && result.path("structuredContent").isContainerNode()) {
            kept.add(new PlainText().plain(result.path("structuredContent").toString()));
            any = true;
        }
        String text = any ? kept.text() : "[no content]";
        return new ToolResult(!result.path("isError").asBoolean(false), text);
    }

    private static String text(JsonNode item) {
        return switch (item.path("type").asText("")) {
            case "text" -> item.path("text").asText("");
            case "image", "audio" -> notShown(item, item.path("data"));
            case "resource_link" ->
                "[" + item.path("name").asText("resource") + ": "
                        + item.path("uri").asText("") + "]";
            case "resource" -> resource(item.path("resource"));
            default -> "[content of an unknown type]";
        };
    }

    private static String resource(JsonNode resource) {
        String uri = "[" + resource.path("uri").asText("resource") + "]\n";
        return resource.has("text")
                ? uri + resource.path("text").asText("")
                : uri + notShown(resource, resource.path("blob"));
    }

    private static String notShown(JsonNode item, JsonNode base64) {
        return "[" + item.path("mimeType").asText("data") + ", about "
                + base64.asText("").length() * 3L / 4 + " bytes, which are not shown]";
    }
}
