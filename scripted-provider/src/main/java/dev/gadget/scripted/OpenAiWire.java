package dev.gadget.scripted;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Chat completions as OpenAI-compatible servers stream them: server-sent events. */
final class OpenAiWire implements Wire {
    private final String head;
    private final String model;
    private final String reasoningField;

    OpenAiWire(String model, String reasoningField) {
        this.model = model;
        this.reasoningField = reasoningField;
        head = "{\"id\":\"chatcmpl-scripted\",\"object\":\"chat.completion.chunk\",\"created\":1790000000,\"model\":"
                + Json.quote(model) + ",\"choices\":[";
    }

    @Override
    public String streamType() {
        return "text/event-stream";
    }

    @Override
    public String framed(String json) {
        return "data: " + json + "\n\n";
    }

    @Override
    public String keepAlive() {
        return ": still here\n\n";
    }

    @Override
    public List<String> opening() {
        return List.of(chunk("{\"role\":\"assistant\",\"content\":null}", "null"));
    }

    @Override
    public String thinking(String text) {
        return chunk("{\"" + reasoningField + "\":" + Json.quote(text) + "}", "null");
    }

    @Override
    public String text(String text) {
        return chunk("{\"content\":" + Json.quote(text) + "}", "null");
    }

    @Override
    public List<String> tools(Step.Tools tools) {
        List<ToolCall> calls = tools.calls();
        List<String> out = new ArrayList<>();
        switch (tools.shape()) {
            case FRAGMENTS -> {
                for (int i = 0; i < calls.size(); i++) {
                    out.addAll(fragments(i, calls.get(i)));
                }
            }
            case INTERLEAVED -> out.addAll(interleaved(calls));
            case TOGETHER, WITH_THE_END -> out.add(calls(calls, true, true));
            case WHOLE -> {
                for (int i = 0; i < calls.size(); i++) {
                    out.add(toolDelta(List.of(call(i, calls.get(i), true, true))));
                }
            }
            case NO_INDEX -> calls.forEach(call -> out.add(calls(List.of(call), false, true)));
            case NO_ID -> {
                for (int i = 0; i < calls.size(); i++) {
                    out.add(toolDelta(List.of(call(i, calls.get(i), true, false))));
                }
            }
        }
        return out;
    }

    private String calls(List<ToolCall> calls, boolean index, boolean id) {
        List<ObjectNode> nodes = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            nodes.add(call(i, calls.get(i), index, id));
        }
        return toolDelta(nodes);
    }

    private static ObjectNode call(int index, ToolCall call, boolean withIndex, boolean withId) {
        ObjectNode node = Json.object();
        if (withIndex) {
            node.put("index", index);
        }
        if (withId) {
            node.put("id", call.id());
        }
        node.put("type", "function");
        node.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        return node;
    }

    private List<String> fragments(int index, ToolCall call) {
        List<String> out = new ArrayList<>();
        ObjectNode first = call(index, new ToolCall(call.id(), call.name(), ""), true, true);
        out.add(toolDelta(List.of(first)));
        for (String piece : Tokens.pieces(call.arguments(), 6)) {
            ObjectNode more = Json.object().put("index", index);
            more.putObject("function").put("arguments", piece);
            out.add(toolDelta(List.of(more)));
        }
        return out;
    }

    private List<String> interleaved(List<ToolCall> calls) {
        List<List<String>> each = new ArrayList<>();
        int longest = 0;
        for (int i = 0; i < calls.size(); i++) {
            each.add(fragments(i, calls.get(i)));
            longest = Math.max(longest, each.get(i).size());
        }
        List<String> out = new ArrayList<>();
        for (int row = 0; row < longest; row++) {
            for (List<String> one : each) {
                if (row < one.size()) {
                    out.add(one.get(row));
                }
            }
        }
        return out;
    }

    private String toolDelta(List<ObjectNode> calls) {
        ObjectNode delta = Json.object();
        ArrayNode array = delta.putArray("tool_calls");
        calls.forEach(array::add);
        return chunk(delta.toString(), "null");
    }

    private String chunk(String delta, String finish) {
        return head + "{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":" + finish + "}]}";
    }

    @Override
    public String end(Said said, Step.End end) {
        StringBuilder out = new StringBuilder();
        if (!said.callsForTheEnd.isEmpty()) {
            out.append(framed(calls(said.callsForTheEnd, true, true)));
        }
        out.append(framed(chunk("{}", Json.quote(reason(said, end)))));
        out.append(framed(head + "],\"usage\":" + usage(said.usage(end)) + "}"));
        return out + "data: [DONE]\n\n";
    }

    private static String reason(Said said, Step.End end) {
        String given = end.reason();
        return given != null ? given : said.calls.isEmpty() ? "stop" : "tool_calls";
    }

    private static ObjectNode usage(TokenUsage usage) {
        ObjectNode node = Json.object()
                .put("prompt_tokens", usage.input())
                .put("completion_tokens", usage.output())
                .put("total_tokens", usage.input() + usage.output());
        node.putObject("completion_tokens_details").put("reasoning_tokens", usage.thinking());
        return node;
    }

    @Override
    public String whole(Said said, Step.End end) {
        ObjectNode root = Json.object().put("id", "chatcmpl-scripted").put("object", "chat.completion");
        root.put("model", model);
        ObjectNode choice = root.putArray("choices").addObject().put("index", 0);
        choice.put("finish_reason", reason(said, end));
        ObjectNode message = choice.putObject("message").put("role", "assistant");
        message.put("content", said.text.toString());
        if (!said.thinking.isEmpty()) {
            message.put(reasoningField, said.thinking.toString());
        }
        if (!said.calls.isEmpty()) {
            ArrayNode calls = message.putArray("tool_calls");
            said.calls.forEach(call -> calls.add(call(0, call, false, true)));
        }
        root.set("usage", usage(said.usage(end)));
        return root.toString();
    }

    @Override
    public String error(int status, String type, String message) {
        ObjectNode root = Json.object();
        root.putObject("error").put("message", message).put("type", type).put("code", status);
        return root.toString();
    }
}
