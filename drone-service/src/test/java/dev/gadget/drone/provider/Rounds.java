package dev.gadget.drone.provider;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.drone.provider.ollama.OllamaProvider;
import dev.gadget.drone.provider.openai.OpenAiProvider;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.scripted.ScriptedProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks a scripted endpoint for one response and keeps what came. */
final class Rounds {
    static final Duration SILENCE = Duration.ofMillis(400);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Endpoint ENDPOINT = new Endpoint(new ObjectMapper(), LONG, LONG);

    private Rounds() {}

    static ProviderSpec spec(ScriptedProvider server, ProviderType type) {
        String url = type == ProviderType.OPENAI ? server.openAiUrl() : server.ollamaUrl();
        return new ProviderSpec(type, "scripted", url, "sk-secret-key", null);
    }

    static ModelProvider provider(ProviderType type) {
        return type == ProviderType.OPENAI ? new OpenAiProvider(ENDPOINT) : new OllamaProvider(ENDPOINT);
    }

    /** A provider with time-outs of its own. */
    static ModelProvider provider(ProviderType type, Duration first, Duration next) {
        var endpoint = new Endpoint(new ObjectMapper(), first, next);
        return type == ProviderType.OPENAI ? new OpenAiProvider(endpoint) : new OllamaProvider(endpoint);
    }

    static List<RoundEvent> ask(ScriptedProvider server, ProviderType type, String prompt) {
        return ask(spec(server, type), prompt, new CancelSignal());
    }

    /** The same, by a provider that soon finds an endpoint silent. */
    static List<RoundEvent> askImpatiently(ProviderSpec spec, String prompt) {
        List<RoundEvent> events = new ArrayList<>();
        provider(spec.type(), SILENCE, SILENCE).stream(request(spec, prompt), events::add, new CancelSignal());
        return events;
    }

    static List<RoundEvent> ask(ProviderSpec spec, String prompt, CancelSignal cancel) {
        List<RoundEvent> events = new ArrayList<>();
        provider(spec.type()).stream(request(spec, prompt), events::add, cancel);
        return events;
    }

    static RoundRequest request(ProviderSpec spec, String prompt) {
        var tool = new ToolSpec(
                "list_files",
                "Lists files.",
                Map.of("type", "object", "properties", Map.of("path", Map.of("type", "string"))));
        return new RoundRequest(
                spec,
                "demo",
                ReasoningEffort.LOW,
                List.of(new ChatMessage.Instructions("Be short."), new ChatMessage.User(prompt)),
                List.of(tool),
                null);
    }

    static String text(List<RoundEvent> events) {
        var text = new StringBuilder();
        events.forEach(event -> {
            if (event instanceof RoundEvent.TextDelta delta) {
                text.append(delta.text());
            }
        });
        return text.toString();
    }

    static String thinking(List<RoundEvent> events) {
        var text = new StringBuilder();
        events.forEach(event -> {
            if (event instanceof RoundEvent.ThinkingDelta delta) {
                text.append(delta.text());
            }
        });
        return text.toString();
    }

    static List<ChatMessage.RequestedCall> calls(List<RoundEvent> events) {
        return events.stream()
                .filter(RoundEvent.CallRequested.class::isInstance)
                .map(event -> ((RoundEvent.CallRequested) event).call())
                .toList();
    }

    /** How it ended, in one word: the finish reason or the failure's code. */
    static String end(List<RoundEvent> events) {
        return switch (events.getLast()) {
            case RoundEvent.Finished finished -> finished.reason().name();
            case RoundEvent.Failed failed -> failed.failure().code().name();
            case RoundEvent other -> throw new AssertionError("no end, but " + other);
        };
    }

    static long ends(List<RoundEvent> events) {
        return events.stream()
                .filter(event -> event instanceof RoundEvent.Finished || event instanceof RoundEvent.Failed)
                .count();
    }

    /** What a failed response says, for the person. */
    static String message(List<RoundEvent> events) {
        return ((RoundEvent.Failed) events.getLast()).failure().message();
    }

    static boolean failedWith(List<RoundEvent> events, FailureCode code) {
        return events.getLast() instanceof RoundEvent.Failed failed
                && failed.failure().code() == code;
    }
}
