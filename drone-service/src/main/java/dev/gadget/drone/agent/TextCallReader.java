package dev.gadget.drone.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.ChatMessage.RequestedCall;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.drone.tool.PythonLiterals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads tool calls from text in the forms that models were trained on. */
final class TextCallReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> NAMES =
            List.of("name", "tool", "tool_name", "function_name", "action", "function");
    private static final List<String> ARGUMENTS =
            List.of("arguments", "parameters", "args", "input", "tool_input", "action_input");
    private static final Set<String> FIRST_KEYS = Set.of(
            "name",
            "tool",
            "tool_name",
            "function_name",
            "action",
            "function",
            "arguments",
            "parameters",
            "args",
            "type",
            "id",
            "tool_calls");
    private static final List<String> PREFIXES = List.of("[TOOL_CALLS]", "<|python_tag|>");
    private static final String FENCE = "```";
    private static final Pattern LANGUAGE = Pattern.compile("[a-z_]{0,12}\\s*");
    // Possessive: what a model writes may be blanks without end.
    private static final Pattern MAYBE_JSON = Pattern.compile("\\[?\\s*+\\{?\\s*+");
    private static final Pattern FIRST_KEY = Pattern.compile("\\[?\\s*\\{\\s*[\"']([a-z_]*)([\"']?).*", Pattern.DOTALL);
    private static final Pattern NAME =
            Pattern.compile("[\"'](?:name|tool|tool_name)[\"']\\s*:\\s*[\"']([A-Za-z0-9_.-]{1,64})[\"']");
    private static final Pattern FUNCTION = Pattern.compile("<function=([A-Za-z0-9_.-]{1,64})>");
    /** Mistral's form: name and arguments of each call after its token. */
    private static final Pattern NAMED =
            Pattern.compile("([A-Za-z0-9_.-]{1,64})\\s*\\[ARGS]\\s*(\\{.*)", Pattern.DOTALL);

    private static final Pattern NEXT_NAMED = Pattern.compile("\\[TOOL_CALLS](?=[A-Za-z0-9_.-]{1,64}\\s*\\[ARGS])");
    private static final Pattern PARAMETER = Pattern.compile("<parameter=([A-Za-z0-9_.-]{1,64})>");
    private static final String PARAMETER_END = "</parameter>";

    private final Set<String> tools;

    TextCallReader(Set<String> tools) {
        this.tools = tools;
    }

    /** Whether a response that begins like this may be a call as a whole. */
    static boolean maybeWhole(String start) {
        if (start.isEmpty() || PREFIXES.stream().anyMatch(each -> each.startsWith(start) || start.startsWith(each))) {
            return true;
        }
        if (start.startsWith("`")) {
            int line = start.indexOf('\n');
            String inner = line < 0 ? "" : start.substring(line).stripLeading();
            return "```".startsWith(start)
                    || start.startsWith("```")
                            && (line < 0 ? start.length() < 16 : inner.isEmpty() || maybeJson(inner));
        }
        return maybeJson(start);
    }

    private static boolean maybeJson(String start) {
        if (MAYBE_JSON.matcher(start).matches()) {
            return true;
        }
        Matcher key = FIRST_KEY.matcher(start);
        if (!key.matches()) {
            return false;
        }
        return key.group(2).isEmpty()
                ? key.end(1) == start.length() && FIRST_KEYS.stream().anyMatch(each -> each.startsWith(key.group(1)))
                : FIRST_KEYS.contains(key.group(1));
    }

    /**
     * The calls in a text that is nothing but calls; none when it is anything else.
     *
     * @param tagged whether tags said that it is a call: then it may be of an unknown tool, or malformed, which is answered
     */
    List<RequestedCall> read(String text, boolean tagged) {
        String inner = text.strip();
        for (String prefix : PREFIXES) {
            inner = inner.startsWith(prefix) ? inner.substring(prefix.length()) : inner;
        }
        inner = unfenced(inner.strip());
        Matcher function = FUNCTION.matcher(inner);
        if (function.lookingAt()) {
            return tagged || tools.contains(function.group(1)) ? List.of(functionTag(inner)) : List.of();
        }
        if (NAMED.matcher(inner).matches()) {
            return named(inner);
        }
        if (!inner.startsWith("{") && !inner.startsWith("[")) {
            return List.of();
        }
        try {
            return documents(JSON, inner, tagged);
        } catch (IOException e) {
            return asPythonWrites(inner, tagged);
        }
    }

    private static String unfenced(String text) {
        int line = text.indexOf('\n');
        int end = text.length() - FENCE.length();
        return text.startsWith(FENCE)
                        && text.endsWith(FENCE)
                        && line >= 0
                        && line < end
                        && LANGUAGE.matcher(text.substring(FENCE.length(), line))
                                .matches()
                ? text.substring(line + 1, end).strip()
                : text;
    }

    private List<RequestedCall> asPythonWrites(String inner, boolean tagged) {
        try {
            return documents(PythonLiterals.MAPPER, PythonLiterals.words(inner), tagged);
        } catch (IOException e) {
            return tagged ? malformed(inner) : List.of();
        }
    }

    private List<RequestedCall> documents(ObjectMapper mapper, String inner, boolean tagged) throws IOException {
        List<RequestedCall> calls = new ArrayList<>();
        try (MappingIterator<JsonNode> documents =
                mapper.readerFor(JsonNode.class).readValues(inner)) {
            while (documents.hasNextValue()) {
                JsonNode document = documents.nextValue();
                JsonNode list = document.has("tool_calls") ? document.get("tool_calls") : document;
                for (JsonNode call : list.isArray() ? list : List.of(list)) {
                    if (!add(call, tagged, calls)) {
                        return List.of();
                    }
                }
            }
        }
        return calls;
    }

    private List<RequestedCall> named(String inner) {
        List<RequestedCall> calls = new ArrayList<>();
        for (String each : NEXT_NAMED.split(inner)) {
            Matcher call = NAMED.matcher(each.strip());
            if (!call.matches() || !tools.contains(call.group(1))) {
                return List.of();
            }
            calls.add(new RequestedCall("", call.group(1), call.group(2)));
        }
        return calls;
    }

    private boolean add(JsonNode node, boolean tagged, List<RequestedCall> calls) throws JsonProcessingException {
        JsonNode call = node.path("function").isObject() ? node.path("function") : node;
        String name = NAMES.stream()
                .map(call::path)
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .findFirst()
                .orElse("");
        if (name.isEmpty() || !tagged && !tools.contains(name)) {
            return false;
        }
        JsonNode arguments = ARGUMENTS.stream()
                .map(call::path)
                .filter(value -> !value.isMissingNode())
                .findFirst()
                .orElse(JSON.createObjectNode());
        calls.add(new RequestedCall(
                "", name, arguments.isTextual() ? arguments.textValue() : JSON.writeValueAsString(arguments)));
        return true;
    }

    /** Broken JSON whose tool can be made out: the model is told how it should have been. */
    private List<RequestedCall> malformed(String inner) {
        Matcher name = NAME.matcher(inner);
        return name.find() && tools.contains(name.group(1))
                ? List.of(new RequestedCall("", name.group(1), inner))
                : List.of();
    }

    private static RequestedCall functionTag(String inner) {
        Matcher function = FUNCTION.matcher(inner);
        String name = function.find() ? function.group(1) : "";
        Map<String, Object> parameters = new LinkedHashMap<>();
        Matcher parameter = PARAMETER.matcher(inner);
        int at = 0;
        while (at >= 0 && parameter.find(at)) {
            int end = inner.indexOf(PARAMETER_END, parameter.end());
            if (end >= 0) {
                parameters.put(parameter.group(1), withoutLineEnds(inner.substring(parameter.end(), end)));
            }
            at = end < 0 ? -1 : end + PARAMETER_END.length();
        }
        return new RequestedCall("", name, Arguments.write(parameters));
    }

    /** One at each end belongs to the tags. */
    private static String withoutLineEnds(String value) {
        String begun = value.startsWith("\n") ? value.substring(1) : value;
        return begun.endsWith("\n") ? begun.substring(0, begun.length() - 1) : begun;
    }
}
