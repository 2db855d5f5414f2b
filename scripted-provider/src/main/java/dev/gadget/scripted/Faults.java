package dev.gadget.scripted;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Everything that providers are known to do wrong, by name, for both wires. */
public final class Faults {
    private static final String MODEL_MISSING = "{\"error\":{\"message\":\"The model 'nope' does not exist\","
            + "\"type\":\"invalid_request_error\",\"param\":\"model\",\"code\":\"model_not_found\"}}";
    private static final String OVERFLOW_LLAMA =
            "{\"error\":{\"code\":400,\"message\":\"request (36028 tokens) exceeds the"
                    + " available context size (4096 tokens), try increasing it\",\"type\":\"exceed_context_size_error\","
                    + "\"n_prompt_tokens\":36028,\"n_ctx\":4096}}";
    private static final String OVERFLOW_OPENAI =
            "{\"error\":{\"message\":\"This model's maximum context length is 8192"
                    + " tokens. However, your messages resulted in 9001 tokens.\",\"type\":\"invalid_request_error\","
                    + "\"param\":\"messages\",\"code\":\"context_length_exceeded\"}}";
    private static final String HTML =
            "<!doctype html><html><head><title>Sign in</title></head><body>Please sign in</body></html>";
    private static final Map<String, Supplier<Reply>> ALL = all();

    private Faults() {}

    /** The names, in order. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * The fault of this name.
     *
     * @throws IllegalArgumentException says which names there are
     */
    public static Reply named(String name) {
        Supplier<Reply> fault = ALL.get(name);
        if (fault == null) {
            throw new IllegalArgumentException(
                    "There is no fault '" + name + "'; there are " + String.join(", ", ALL.keySet()));
        }
        return fault.get();
    }

    private static Map<String, Supplier<Reply>> all() {
        Map<String, Supplier<Reply>> all = new TreeMap<>();
        statuses(all);
        endings(all);
        inside(all);
        shapes(all);
        return all;
    }

    private static void statuses(Map<String, Supplier<Reply>> all) {
        for (int status : new int[] {400, 401, 403, 500, 502, 503, 529}) {
            all.put(Integer.toString(status), () -> error(status, "Scripted failure " + status));
        }
        all.put("429", () -> error(429, "Too many requests"));
        all.put("429-retry", () -> error(429, "Too many requests").header("Retry-After", "1"));
        all.put("404-model", () -> Reply.body(404, "application/json", MODEL_MISSING));
        all.put(
                "404-model-ollama",
                () -> Reply.body(404, "application/json", "{\"error\":\"model 'nope' not found\"}"));
        all.put("404-page", () -> Reply.body(404, "text/plain", "404 page not found"));
        all.put("overflow-llama", () -> Reply.body(400, "application/json", OVERFLOW_LLAMA));
        all.put("overflow-openai", () -> Reply.body(400, "application/json", OVERFLOW_OPENAI));
        all.put(
                "overflow-nested",
                () -> Reply.body(
                        400,
                        "application/json",
                        Json.object().put("error", OVERFLOW_LLAMA).toString()));
        all.put("502-html", () -> Reply.body(502, "text/html", HTML));
        all.put("redirect", () -> Reply.body(307, "text/plain", "").header("Location", "http://127.0.0.1:9/v1"));
    }

    static Reply error(int status, String message) {
        return Reply.body(
                status,
                "application/json",
                "{\"error\":{\"message\":" + Json.quote(message) + ",\"type\":\"scripted\",\"code\":" + status + "}}");
    }

    private static void endings(Map<String, Supplier<Reply>> all) {
        Step text = new Step.Text("Some text before ");
        all.put("silent-before-headers", () -> Reply.nothingUntil(new Step.Silence()));
        all.put("reset-before-headers", () -> Reply.nothingUntil(new Step.Reset()));
        all.put("drop-before-headers", () -> Reply.nothingUntil(new Step.Drop()));
        all.put("silent-after-headers", () -> Reply.exactly(new Step.Silence()));
        all.put("silent-midstream", () -> Reply.exactly(text, new Step.Silence()));
        all.put("reset-midstream", () -> Reply.exactly(text, new Step.Reset()));
        all.put("drop-midstream", () -> Reply.exactly(text, new Step.Drop()));
        all.put("missing-finish", () -> Reply.exactly(text));
        all.put("done-without-finish", () -> Reply.exactly(text, new Step.Raw("data: [DONE]\n\n")));
        all.put("only-keepalive", () -> Reply.exactly(text, new Step.KeepAlive(Long.MAX_VALUE, Duration.ofMillis(20))));
        all.put("endless", () -> Reply.exactly(new Step.Numbered(false, Long.MAX_VALUE)));
        all.put("cut-in-utf8", () -> Reply.exactly(text, new Step.Torn(new Step.Text("漢字"))));
        ToolCall cut = new ToolCall("call_a", "write_file", "{\"path\":\"cut.txt\",\"content\":\"never whole\"}");
        all.put(
                "cut-in-call",
                () -> Reply.exactly(text, new Step.Torn(new Step.Tools(List.of(cut), ToolShape.FRAGMENTS))));
        all.put("length", () -> Reply.exactly(text, new Step.End("length", null)));
    }

    private static void inside(Map<String, Supplier<Reply>> all) {
        Step text = new Step.Text("Some text before ");
        all.put("error-in-200", () -> Reply.body(200, "application/json", "{\"error\":{\"message\":\"overloaded\"}}"));
        all.put("html-in-200", () -> Reply.body(200, "text/html", HTML));
        all.put("html-as-stream", () -> Reply.exactly(new Step.Raw(HTML)));
        all.put(
                "error-midstream",
                () -> Reply.exactly(
                        text, new Step.Chunk("{\"error\":{\"code\":500,\"message\":\"decoding failed\"}}")));
        all.put("error-midstream-text", () -> Reply.exactly(text, new Step.Chunk("{\"error\":\"decoding failed\"}")));
        all.put(
                "error-event",
                () -> Reply.exactly(text, new Step.Raw("event: error\ndata: {\"message\":\"decoding failed\"}\n\n")));
        all.put("malformed", () -> Reply.of(text, new Step.Chunk("{\"choices\":[{\"delta\":{\"content\":"), text));
        all.put("not-json", () -> Reply.of(text, new Step.Chunk("<oops>"), text));
        all.put("think-tags", () -> Reply.text("<think>Told in the text itself. </think>And this is the answer."));
        all.put("wrong-type", () -> Reply.text("Fine, but named otherwise. ").header("Content-Type", "text/plain"));
        all.put("gzip", () -> Reply.text("Compressed all the way. ".repeat(20)).gzipped());
        all.put("long-line", () -> Reply.of(new Step.Text("x".repeat(1024 * 1024))));
        all.put("huge-line", () -> Reply.of(new Step.Text("x".repeat(16 * 1024 * 1024))));
    }

    private static void shapes(Map<String, Supplier<Reply>> all) {
        ToolCall one = new ToolCall("call_a", "list_files", "{\"path\":\".\"}");
        ToolCall two = new ToolCall("call_b", "find_files", "{\"pattern\":\"*.md\"}");
        for (ToolShape shape : ToolShape.values()) {
            String name =
                    "calls-" + shape.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            all.put(name, () -> Reply.calls(shape, one, two));
        }
        all.put(
                "calls-same-id",
                () -> Reply.calls(ToolShape.WHOLE, one, new ToolCall(one.id(), two.name(), two.arguments())));
        all.put("calls-empty-arguments", () -> Reply.calls(ToolShape.WHOLE, new ToolCall("call_a", "list_files", "")));
        all.put(
                "calls-bad-arguments",
                () -> Reply.calls(ToolShape.WHOLE, new ToolCall("call_a", "list_files", "{oops")));
        all.put(
                "odd-chunks",
                () -> Reply.of(
                        new Step.Chunk("{\"choices\":[]}"),
                        new Step.Chunk("{\"choices\":[{\"index\":0,\"delta\":null,\"unheard_of\":[1]}]}"),
                        new Step.Chunk(
                                "{\"choices\":[{\"index\":0,\"delta\":{\"content\":null,\"tool_calls\":null}}]}"),
                        new Step.Text("Fine in spite of it. ")));
    }
}
