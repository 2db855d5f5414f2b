package dev.gadget.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A regular response, put together. Usage is input, output and thinking; a wire that does not tell one says -1. */
record Heard(String thinking, String text, List<Call> calls, String finish, long input, long output, long reasoning) {
    /** A tool call, its arguments as JSON text. */
    record Call(String id, String name, String arguments) {}

    static Heard streamed(Chat.Kind kind, String body) throws IOException {
        Builder builder = new Builder();
        if (kind == Chat.Kind.OLLAMA) {
            for (String line : body.split("\n")) {
                builder.ollama(Chat.json(line));
            }
            return builder.built();
        }
        if (!body.endsWith("data: [DONE]\n\n")) {
            throw new AssertionError("The stream has no end mark: " + body);
        }
        for (String event : body.split("\n\n")) {
            String data = event.substring("data: ".length());
            if (!data.equals("[DONE]")) {
                builder.openAi(Chat.json(data), "delta");
            }
        }
        return builder.built();
    }

    static Heard whole(Chat.Kind kind, String body) throws IOException {
        Builder builder = new Builder();
        if (kind == Chat.Kind.OLLAMA) {
            builder.ollama(Chat.json(body));
        } else {
            builder.openAi(Chat.json(body), "message");
        }
        return builder.built();
    }

    private static final class Builder {
        private final StringBuilder thinking = new StringBuilder();
        private final StringBuilder text = new StringBuilder();
        private final TreeMap<Integer, Call> calls = new TreeMap<>();
        private String finish = "";
        private long input = -1;
        private long output = -1;
        private long reasoning = -1;

        void openAi(JsonNode chunk, String field) {
            for (JsonNode choice : chunk.path("choices")) {
                JsonNode delta = choice.path(field);
                thinking.append(delta.path("reasoning_content").asText(""));
                text.append(
                        delta.path("content").isNull()
                                ? ""
                                : delta.path("content").asText(""));
                for (JsonNode call : delta.path("tool_calls")) {
                    fragment(call.path("index").asInt(calls.size()), call);
                }
                finish = choice.path("finish_reason").asText("null").equals("null")
                        ? finish
                        : choice.path("finish_reason").asText();
            }
            JsonNode usage = chunk.path("usage");
            if (usage.isObject()) {
                input = usage.path("prompt_tokens").asLong();
                output = usage.path("completion_tokens").asLong();
                reasoning = usage.path("completion_tokens_details")
                        .path("reasoning_tokens")
                        .asLong();
            }
        }

        private void fragment(int index, JsonNode call) {
            Call before = calls.getOrDefault(index, new Call("", "", ""));
            JsonNode function = call.path("function");
            calls.put(
                    index,
                    new Call(
                            before.id() + call.path("id").asText(""),
                            before.name() + function.path("name").asText(""),
                            before.arguments() + function.path("arguments").asText("")));
        }

        void ollama(JsonNode line) {
            JsonNode message = line.path("message");
            thinking.append(message.path("thinking").asText(""));
            text.append(message.path("content").asText(""));
            for (JsonNode call : message.path("tool_calls")) {
                JsonNode function = call.path("function");
                JsonNode arguments = function.path("arguments");
                calls.put(
                        calls.size(),
                        new Call(
                                call.path("id").asText(""),
                                function.path("name").asText(),
                                arguments.isTextual() ? arguments.asText() : arguments.toString()));
            }
            if (line.path("done").asBoolean()) {
                finish = line.path("done_reason").asText();
                input = line.path("prompt_eval_count").asLong();
                output = line.path("eval_count").asLong();
            }
        }

        Heard built() {
            return new Heard(
                    thinking.toString(),
                    text.toString(),
                    new ArrayList<>(calls.values()),
                    finish,
                    input,
                    output,
                    reasoning);
        }
    }
}
