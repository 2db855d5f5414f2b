package dev.gadget.drone.provider.ollama;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.ReasoningEffort;
import java.util.Locale;

/** Writes requests of Ollama's chat API. */
final class OllamaRequests {
    private static final String CONTENT = "content";
    /** Ollama shifts the context and goes on for ever when nothing limits it. */
    private static final int MOST_TOKENS = 32_768;

    private final ObjectMapper mapper;

    OllamaRequests(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    ObjectNode body(RoundRequest request) {
        ObjectNode body = mapper.createObjectNode()
                .put("model", request.model())
                .put("stream", !Boolean.TRUE.equals(request.provider().disableStreaming()));
        if (request.reasoningEffort() == ReasoningEffort.OFF) {
            body.put("think", false);
        } else {
            body.put("think", request.reasoningEffort().name().toLowerCase(Locale.ROOT));
        }
        Integer most = request.maxOutputTokens();
        ObjectNode options = body.putObject("options").put("num_predict", most == null ? MOST_TOKENS : most);
        if (request.contextTokens() != null) {
            // By itself Ollama makes a small context, and cuts longer prompts without a word.
            options.put("num_ctx", request.contextTokens());
        }
        ArrayNode messages = body.putArray("messages");
        request.messages().forEach(message -> add(messages, message));
        if (!request.tools().isEmpty()) {
            ArrayNode tools = body.putArray("tools");
            request.tools().forEach(tool -> add(tools, tool));
        }
        return body;
    }

    private void add(ArrayNode messages, ChatMessage message) {
        ObjectNode node = messages.addObject();
        switch (message) {
            case ChatMessage.Instructions said -> node.put("role", "system").put(CONTENT, said.text());
            case ChatMessage.User said -> node.put("role", "user").put(CONTENT, said.text());
            case ChatMessage.ToolAnswer answer ->
                node.put("role", "tool").put("tool_name", answer.name()).put(CONTENT, answer.text());
            case ChatMessage.Assistant said -> {
                node.put("role", "assistant").put(CONTENT, said.text());
                if (said.thinking() != null) {
                    node.put("thinking", said.thinking());
                }
                if (!said.calls().isEmpty()) {
                    ArrayNode calls = node.putArray("tool_calls");
                    said.calls().forEach(call -> add(calls, call));
                }
            }
        }
    }

    private void add(ArrayNode calls, ChatMessage.RequestedCall call) {
        calls.addObject().putObject("function").put("name", call.name()).set("arguments", object(call.arguments()));
    }

    private JsonNode object(String arguments) {
        try {
            JsonNode node = mapper.readTree(arguments);
            return node.isObject() ? node : mapper.createObjectNode();
        } catch (JsonProcessingException e) {
            return mapper.createObjectNode();
        }
    }

    private void add(ArrayNode tools, ToolSpec tool) {
        tools.addObject()
                .put("type", "function")
                .putObject("function")
                .put("name", tool.name())
                .put("description", tool.description())
                .set("parameters", mapper.valueToTree(tool.parameters()));
    }
}
