package dev.gadget.drone.provider.openai;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.model.ReasoningEffort;
import java.util.Locale;

/** Writes requests of the chat completions API. */
final class OpenAiRequests {
    static final String EFFORT = "reasoning_effort";
    static final String LIMIT = "max_tokens";
    static final String NEWER_LIMIT = "max_completion_tokens";
    static final String TEMPLATE = "chat_template_kwargs";
    static final String CACHE = "cache_control";

    private static final String CONTENT = "content";

    private final ObjectMapper mapper;

    OpenAiRequests(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    ObjectNode body(RoundRequest request, Terms terms) {
        boolean stream = !Boolean.TRUE.equals(request.provider().disableStreaming());
        ObjectNode body =
                mapper.createObjectNode().put("model", request.model()).put("stream", stream);
        if (stream) {
            body.putObject("stream_options").put("include_usage", true);
        }
        boolean own = request.provider().baseUrl().contains("api.openai.com");
        if (request.reasoningEffort() == ReasoningEffort.OFF) {
            // Said nothing, many models think: those of OpenAI know the one, the templates of local ones the other.
            body.put(EFFORT, "none");
            if (!own) {
                body.putObject(TEMPLATE).put("enable_thinking", false);
            }
        } else {
            body.put(EFFORT, request.reasoningEffort().name().toLowerCase(Locale.ROOT));
        }
        if (request.maxOutputTokens() != null) {
            // OpenAI's own reasoning models refuse the older name, most others know only that.
            body.put(own ? NEWER_LIMIT : LIMIT, request.maxOutputTokens());
        }
        if (request.provider().baseUrl().contains("openrouter.ai")
                && request.model().startsWith("anthropic/")) {
            // Of these models nothing is cached there that was not asked for; the others cache by themselves.
            body.putObject(CACHE).put("type", "ephemeral");
        }
        ArrayNode messages = body.putArray("messages");
        request.messages().forEach(message -> add(messages, message, terms));
        if (!request.tools().isEmpty()) {
            ArrayNode tools = body.putArray("tools");
            request.tools().forEach(tool -> add(tools, tool));
            if (!own) {
                // llama-server lets a model call one tool a response otherwise; at OpenAI it is the default.
                body.put("parallel_tool_calls", true);
            }
        }
        terms.apply(body);
        return body;
    }

    private void add(ArrayNode messages, ChatMessage message, Terms terms) {
        ObjectNode node = messages.addObject();
        switch (message) {
            case ChatMessage.Instructions said -> node.put("role", "system").put(CONTENT, said.text());
            case ChatMessage.User said -> node.put("role", "user").put(CONTENT, said.text());
            case ChatMessage.ToolAnswer answer ->
                node.put("role", "tool").put("tool_call_id", answer.callId()).put(CONTENT, answer.text());
            case ChatMessage.Assistant said -> {
                node.put("role", "assistant").put(CONTENT, said.text());
                terms.thinkingField(said).ifPresent(field -> node.put(field, thinking(said)));
                if (!said.calls().isEmpty()) {
                    ArrayNode calls = node.putArray("tool_calls");
                    said.calls().forEach(call -> add(calls, call));
                }
            }
        }
    }

    /** Endpoints that want the field with each message take no empty one. */
    private static String thinking(ChatMessage.Assistant said) {
        String thinking = said.thinking();
        return thinking == null || thinking.isBlank() ? " " : thinking;
    }

    private void add(ArrayNode calls, ChatMessage.RequestedCall call) {
        calls.addObject()
                .put("id", call.callId())
                .put("type", "function")
                .putObject("function")
                .put("name", call.name())
                .put("arguments", wellFormed(call.arguments()));
    }

    /** Endpoints refuse a whole conversation for one call whose arguments the model garbled. */
    private String wellFormed(String arguments) {
        try {
            return mapper.readTree(arguments).isObject() ? arguments : "{}";
        } catch (JsonProcessingException e) {
            return "{}";
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
