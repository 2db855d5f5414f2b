package dev.gadget.scripted;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Ollama's own chat: one JSON object a line. */
final class OllamaWire implements Wire {
    private final String head;

    OllamaWire(String model) {
        head = "{\"model\":" + Json.quote(model) + ",\"created_at\":\"2026-11-20T20:00:00Z\",\"message\":";
    }

    @Override
    public String streamType() {
        return "application/x-ndjson";
    }

    @Override
    public String framed(String json) {
        return json + "\n";
    }

    @Override
    public String keepAlive() {
        return "\n";
    }

    @Override
    public List<String> opening() {
        return List.of();
    }

    @Override
    public String thinking(String text) {
        return line("{\"role\":\"assistant\",\"content\":\"\",\"thinking\":" + Json.quote(text) + "}");
    }

    @Override
    public String text(String text) {
        return line("{\"role\":\"assistant\",\"content\":" + Json.quote(text) + "}");
    }

    private String line(String message) {
        return head + message + ",\"done\":false}";
    }

    @Override
    public List<String> tools(Step.Tools tools) {
        boolean id = tools.shape() != ToolShape.NO_ID;
        boolean index = tools.shape() != ToolShape.NO_INDEX;
        if (tools.shape() == ToolShape.TOGETHER || tools.shape() == ToolShape.WITH_THE_END) {
            return List.of(line(message("", "", tools.calls(), true, true, 0).toString()));
        }
        List<String> out = new ArrayList<>();
        for (int i = 0; i < tools.calls().size(); i++) {
            List<ToolCall> one = List.of(tools.calls().get(i));
            out.add(line(message("", "", one, index, id, i).toString()));
        }
        return out;
    }

    private static ObjectNode message(
            String text, String thinking, List<ToolCall> calls, boolean index, boolean id, int first) {
        ObjectNode message = Json.object().put("role", "assistant").put("content", text);
        if (!thinking.isEmpty()) {
            message.put("thinking", thinking);
        }
        if (!calls.isEmpty()) {
            ArrayNode array = message.putArray("tool_calls");
            for (int i = 0; i < calls.size(); i++) {
                ObjectNode call = array.addObject();
                if (id) {
                    call.put("id", calls.get(i).id());
                }
                ObjectNode function = call.putObject("function");
                if (index) {
                    function.put("index", first + i);
                }
                function.put("name", calls.get(i).name());
                function.set("arguments", arguments(calls.get(i).arguments()));
            }
        }
        return message;
    }

    /** Ollama tells arguments as an object; text that is none travels as a string, to be refused. */
    private static JsonNode arguments(String text) {
        if (text.isEmpty()) {
            return Json.object();
        }
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return Json.MAPPER.getNodeFactory().textNode(text);
        }
    }

    @Override
    public String end(Said said, Step.End end) {
        return framed(done(message("", "", said.callsForTheEnd, true, true, 0), said, end));
    }

    @Override
    public String whole(Said said, Step.End end) {
        return done(message(said.text.toString(), said.thinking.toString(), said.calls, true, true, 0), said, end);
    }

    private String done(ObjectNode message, Said said, Step.End end) {
        TokenUsage usage = said.usage(end);
        String given = end.reason();
        return head + message + ",\"done\":true,\"done_reason\":" + Json.quote(given == null ? "stop" : given)
                + ",\"total_duration\":1000000,\"prompt_eval_count\":" + usage.input() + ",\"eval_count\":"
                + usage.output() + "}";
    }

    @Override
    public String error(int status, String type, String message) {
        return Json.object().put("error", message).toString();
    }
}
