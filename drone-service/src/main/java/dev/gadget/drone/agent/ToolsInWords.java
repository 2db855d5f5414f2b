package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ChatMessage;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.ToolSpec;
import dev.gadget.drone.tool.Arguments;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Goes on with endpoints that take no tools for a model: for an hour the model is told of its tools in words, and its calls are read
 * from what it writes, by {@link TextCalls}, whatever an exam said of it before. Which those are is forgotten with the process.
 */
final class ToolsInWords {
    private static final Logger LOG = Logger.getLogger(ToolsInWords.class);
    private static final int MOST = 256;
    /** Endpoints are set up anew. */
    private static final Duration KEPT = Duration.ofHours(1);

    /** As Ollama, vLLM, llama.cpp, OpenRouter, Groq and others say it. */
    private static final Pattern REFUSED = Pattern.compile(
            "(not|n't) support(ed)?( the)?( use of)? `?(tools?|tool[ _](use|calls?|calling|choice)|functions?|function[ _]call(s|ing))\\b"
                    + "|\\b(tools?|tool[ _](use|calls?|calling|choice)|function[ _]calling)`? (is|are) not (supported|available|enabled)"
                    + "|endpoints found that support tool"
                    + "|requires --enable-auto-tool-choice|tools? (param )?requires --jinja",
            Pattern.CASE_INSENSITIVE);

    /** What the instructions say to a model that has its tools in another way. */
    private static final String OTHERWISE =
            "Call tools through the tool interface, with JSON arguments that fit the schema; do not write calls as text.";

    /** Those around an answer, and whatever is read as a call. */
    private static final QuotingMarks MARKS =
            new QuotingMarks("tool_response", "tool_call", "function_call", "tool_use", "function=");

    private static final String HOW = """


            # How to call a tool
            Write each call as JSON between these marks, at the end of your response, and then stop; the answers come in the next message,
            between `<tool_response>` marks. Without a call your response is the end of the task.
            <tool_call>
            {"name": "read_file", "arguments": {"path": "src/Main.java"}}
            </tool_call>

            # Your tools
            """;

    private final LongSupplier nanos;
    /** When each refused. */
    private final Map<Asked, Long> refused = new ConcurrentHashMap<>();

    private record Asked(ProviderType type, String baseUrl, String model) {}

    private interface Streaming {
        void stream(RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel);
    }

    ToolsInWords(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The same provider, which goes on where tools are refused. */
    ModelProvider around(ModelProvider provider) {
        return with(provider, (request, sink, cancel) -> ask(provider, request, sink, cancel));
    }

    private static ModelProvider with(ModelProvider provider, Streaming streaming) {
        return new ModelProvider() {
            @Override
            public ProviderType type() {
                return provider.type();
            }

            @Override
            public void stream(RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel) {
                streaming.stream(request, sink, cancel);
            }

            @Override
            public Optional<Integer> reportedContext(ProviderSpec spec, String model, CancelSignal cancel)
                    throws ProviderException {
                return provider.reportedContext(spec, model, cancel);
            }

            @Override
            public Optional<Integer> usualContext(ProviderSpec spec, String model, CancelSignal cancel)
                    throws ProviderException {
                return provider.usualContext(spec, model, cancel);
            }

            @Override
            public List<String> models(ProviderSpec spec) throws ProviderException {
                return provider.models(spec);
            }
        };
    }

    private void ask(ModelProvider provider, RoundRequest request, Consumer<RoundEvent> sink, CancelSignal cancel) {
        var asked = new Asked(request.provider().type(), request.provider().baseUrl(), request.model());
        if (request.tools().isEmpty()) {
            provider.stream(request, sink, cancel);
            return;
        }
        if (!refuses(asked)) {
            var first = new First(sink);
            provider.stream(request, first, cancel);
            if (!first.refused) {
                return;
            }
            if (refused.size() >= MOST) {
                refused.clear();
            }
            refused.put(asked, nanos.getAsLong());
            LOG.infof(
                    "the endpoint takes no tools for this model, which is told of them in words from now on provider=%s model=%s",
                    request.provider().name(), request.model());
        }
        // A round of its own, which reads calls from text: whoever asks may take this model's text for text.
        ModelProvider inWords = with(provider, (told, said, signal) -> provider.stream(inWords(told), said, signal));
        new ModelRound(inWords, request, true).stream(sink, cancel);
    }

    private boolean refuses(Asked asked) {
        Long at = refused.get(asked);
        return at != null && nanos.getAsLong() - at < KEPT.toNanos();
    }

    /** Passes on what is said, but for the refusal of tools before anything else. */
    private static final class First implements Consumer<RoundEvent> {
        private final Consumer<RoundEvent> sink;
        private boolean said;
        private boolean refused;

        First(Consumer<RoundEvent> sink) {
            this.sink = sink;
        }

        @Override
        public void accept(RoundEvent event) {
            if (!said
                    && event instanceof RoundEvent.Failed failed
                    && REFUSED.matcher(failed.failure().message()).find()) {
                refused = true;
                return;
            }
            said = true;
            sink.accept(event);
        }
    }

    /** The same conversation without tools in it. */
    static RoundRequest inWords(RoundRequest request) {
        List<ChatMessage> messages = new ArrayList<>();
        for (ChatMessage message : request.messages()) {
            ChatMessage written = switch (message) {
                case ChatMessage.Instructions said ->
                    new ChatMessage.Instructions(
                            said.text().replace(OTHERWISE, "Call tools as it is told below, with arguments that fit.")
                                    + HOW
                                    + told(request.tools()));
                case ChatMessage.User said -> said;
                case ChatMessage.Assistant said ->
                    new ChatMessage.Assistant(said.text() + calls(said), said.thinking(), List.of());
                case ChatMessage.ToolAnswer answer ->
                    new ChatMessage.User("<tool_response name=\"" + answer.name() + "\">\n"
                            // What a tool read is not to end its own answer, nor to be a call that is repeated.
                            + MARKS.defused(answer.text()) + "\n</tool_response>");
            };
            // Chat templates want the roles to take turns.
            if (written instanceof ChatMessage.User next
                    && !messages.isEmpty()
                    && messages.getLast() instanceof ChatMessage.User before) {
                messages.set(messages.size() - 1, new ChatMessage.User(before.text() + "\n\n" + next.text()));
            } else {
                messages.add(written);
            }
        }
        return new RoundRequest(
                request.provider(),
                request.model(),
                request.reasoningEffort(),
                messages,
                List.of(),
                request.maxOutputTokens(),
                request.contextTokens());
    }

    private static String calls(ChatMessage.Assistant said) {
        StringBuilder text = new StringBuilder();
        for (ChatMessage.RequestedCall call : said.calls()) {
            text.append("\n<tool_call>\n{\"name\": \"")
                    .append(call.name())
                    .append("\", \"arguments\": ")
                    .append(call.arguments())
                    .append("}\n</tool_call>");
        }
        return text.toString();
    }

    private static String told(List<ToolSpec> tools) {
        StringBuilder text = new StringBuilder();
        for (ToolSpec tool : tools) {
            text.append("- `")
                    .append(tool.name())
                    .append("`: ")
                    .append(tool.description())
                    .append("\n  Arguments: ")
                    .append(Arguments.write(tool.parameters()))
                    .append('\n');
        }
        return text.toString().stripTrailing();
    }
}
