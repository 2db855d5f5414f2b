package dev.gadget.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A conversation with a provider, as a drone has it: it answers every call and asks again. */
final class Chat {
    /** The two wires. */
    enum Kind {
        OPENAI("/v1/chat/completions"),
        OLLAMA("/api/chat");

        final String path;

        Kind(String path) {
            this.path = path;
        }
    }

    static final List<String> TOOLS =
            List.of("read_file", "write_file", "edit_file", "list_files", "find_files", "search", "run_command");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MOST_ROUNDS = 20;

    private final int port;
    private final Kind kind;
    private final ObjectNode body = MAPPER.createObjectNode();

    Chat(int port, Kind kind, String prompt) {
        this.port = port;
        this.kind = kind;
        body.put("model", "demo").put("stream", true);
        body.putArray("messages").addObject().put("role", "user").put("content", prompt);
    }

    Chat with(List<String> tools) {
        ArrayNode array = body.putArray("tools");
        tools.forEach(tool ->
                array.addObject().put("type", "function").putObject("function").put("name", tool));
        return this;
    }

    Chat set(String field, String json) throws IOException {
        body.set(field, MAPPER.readTree(json));
        return this;
    }

    /** Whatever comes until nothing comes for a moment. */
    RawResponse rawUntilSilent() throws IOException {
        return RawResponse.post(port, kind.path, body.toString(), RawResponse.ENOUGH, RawResponse.SHORT_MILLIS);
    }

    RawResponse raw() throws IOException {
        return RawResponse.post(port, kind.path, body.toString());
    }

    /** One response. */
    Heard ask() throws IOException {
        RawResponse raw = raw();
        if (raw.status() != 200 || raw.how() != RawResponse.How.WHOLE) {
            throw new AssertionError("No whole response but " + raw.status() + " " + raw.how() + ": " + raw.text());
        }
        return body.path("stream").asBoolean() ? Heard.streamed(kind, raw.text()) : Heard.whole(kind, raw.text());
    }

    /** Responses until one calls no tool. */
    List<Heard> converse() throws IOException {
        List<Heard> rounds = new ArrayList<>();
        rounds.add(ask());
        while (!rounds.getLast().calls().isEmpty()) {
            if (rounds.size() == MOST_ROUNDS) {
                throw new AssertionError("Still calling tools after " + MOST_ROUNDS + " rounds");
            }
            answer(rounds.getLast());
            rounds.add(ask());
        }
        return rounds;
    }

    void answer(Heard heard) {
        ArrayNode messages = body.withArray("messages");
        ObjectNode assistant = messages.addObject().put("role", "assistant").put("content", heard.text());
        ArrayNode calls = assistant.putArray("tool_calls");
        for (Heard.Call call : heard.calls()) {
            calls.addObject().put("id", call.id()).putObject("function").put("name", call.name());
            messages.addObject()
                    .put("role", "tool")
                    .put("tool_call_id", call.id())
                    .put("content", "done");
        }
    }

    static JsonNode json(String text) throws IOException {
        return MAPPER.readTree(text);
    }
}
