package dev.gadget.drone.provider.ollama;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ModelProvider;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.drone.provider.RoundRequest;
import dev.gadget.drone.provider.RoundSink;
import dev.gadget.drone.provider.http.Endpoint;
import dev.gadget.drone.provider.http.Exchange;
import dev.gadget.drone.provider.http.ModelNames;
import dev.gadget.drone.provider.http.Refusals;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ollama, over its own API: it tells thinking apart, and takes the context size that a model needs. */
@Singleton
public class OllamaProvider implements ModelProvider {
    private static final String THINK = "think";
    private static final Pattern NUM_CTX = Pattern.compile("(?m)^[ \\t]*+num_ctx[ \\t]++([1-9][0-9]{0,7})[ \\t\\r]*+$");
    /** By itself Ollama takes 4,096 on most machines, which is less than the instructions, the tools and a file. */
    private static final int USUAL_CONTEXT = 16_384;

    private static final int MAX_SHOWN_BYTES = 16 << 20;

    private final Endpoint endpoint;
    private final OllamaRequests requests;
    private final Refusals refusals = new Refusals();

    public OllamaProvider(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.requests = new OllamaRequests(endpoint.mapper());
    }

    @Override
    public ProviderType type() {
        return ProviderType.OLLAMA;
    }

    @Override
    public void stream(RoundRequest request, Consumer<RoundEvent> events, CancelSignal cancel) {
        var sink = new RoundSink(events);
        try (Exchange exchange = ask(request, cancel)) {
            var response = new OllamaResponse(sink, exchange, request);
            boolean complete = false;
            while (!complete && exchange.nextLine()) {
                complete = !exchange.lineIsBlank() && response.line(exchange.parseLine(0));
            }
            if (!complete) {
                throw new ProviderException(
                        FailureCode.TRUNCATED,
                        exchange.shown() + " ended the response without saying that it is done. What came is kept.");
            }
        } catch (ProviderException failure) {
            sink.fail(failure.failure(), failure.retryAfter());
        }
    }

    private Exchange ask(RoundRequest request, CancelSignal cancel) throws ProviderException {
        ObjectNode body = requests.body(request);
        while (refusals.has(request.provider(), request.model(), wish(body))) {
            lower(body);
        }
        for (; ; ) {
            try {
                return endpoint.post(request.provider(), "/api/chat", body, cancel);
            } catch (ProviderException refused) {
                if (!body.has(THINK) || !isAboutThinking(refused)) {
                    throw refused;
                }
                String wish = wish(body);
                lower(body);
                refusals.add(
                        request.provider(),
                        request.model(),
                        wish,
                        body.path(THINK).asText());
            }
        }
    }

    private static String wish(ObjectNode body) {
        return THINK + "=" + body.path(THINK).asText();
    }

    private static boolean isAboutThinking(ProviderException refused) {
        return refused.failure().code() == FailureCode.PROVIDER_REFUSED
                && refused.failure().message().toLowerCase(Locale.ROOT).contains("think");
    }

    /** Levels are for models that know them, others take only yes or no, and some do not think at all. */
    private static void lower(ObjectNode body) {
        if (body.path(THINK).isTextual()) {
            body.put(THINK, true);
        } else {
            body.remove(THINK);
        }
    }

    /** What the model was trained for; how much of it there is room for is another matter. */
    @Override
    public Optional<Integer> reportedContext(ProviderSpec provider, String model, CancelSignal cancel)
            throws ProviderException {
        return trainedFor(shown(provider, model, cancel));
    }

    /** What its owner set for the model, what it is loaded with, or what it was trained for as far as most machines have room for it. */
    @Override
    public Optional<Integer> usualContext(ProviderSpec provider, String model, CancelSignal cancel)
            throws ProviderException {
        JsonNode shown = shown(provider, model, cancel);
        Matcher set = NUM_CTX.matcher(shown.path("parameters").asText(""));
        if (set.find()) {
            return Optional.of(Integer.valueOf(set.group(1)));
        }
        Optional<Integer> most = trainedFor(shown);
        boolean elsewhere = !shown.path("remote_host").asText("").isEmpty();
        return most.isEmpty() || elsewhere
                ? most
                : Optional.of(Math.max(loadedWith(provider, model, cancel), Math.min(most.get(), USUAL_CONTEXT)));
    }

    private JsonNode shown(ProviderSpec provider, String model, CancelSignal cancel) throws ProviderException {
        ObjectNode body = endpoint.mapper().createObjectNode().put("model", model);
        try (Exchange exchange = endpoint.post(provider, "/api/show", body, cancel)) {
            return exchange.json(MAX_SHOWN_BYTES);
        }
    }

    private static Optional<Integer> trainedFor(JsonNode shown) {
        return shown.path("model_info").properties().stream()
                .filter(entry -> entry.getKey().endsWith(".context_length"))
                .map(entry -> entry.getValue().asInt())
                .filter(tokens -> tokens > 0)
                .findFirst();
    }

    /** 0 where it is not loaded, or an older Ollama does not say. */
    private int loadedWith(ProviderSpec provider, String model, CancelSignal cancel) throws ProviderException {
        try {
            for (JsonNode loaded : endpoint.get(provider, "/api/ps", cancel).path("models")) {
                String name = loaded.path("name").asText();
                if (name.equals(model) || name.equals(model + ":latest")) {
                    return loaded.path("context_length").asInt();
                }
            }
        } catch (ProviderException other) {
            if (other.failure().code() == FailureCode.CANCELLED) {
                throw other;
            }
        }
        return 0;
    }

    @Override
    public List<String> models(ProviderSpec provider) throws ProviderException {
        return ModelNames.in(endpoint, provider, "/api/tags", "models", "name");
    }
}
