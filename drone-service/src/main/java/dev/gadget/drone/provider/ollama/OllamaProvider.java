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
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Ollama, over its own API: it tells thinking apart, and takes the context size that a model needs. */
@Singleton
public class OllamaProvider implements ModelProvider {
    private static final String THINK = "think";

    private final Endpoint endpoint;
    private final OllamaRequests requests;

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
            var response = new OllamaResponse(sink, exchange, request.provider());
            boolean complete = false;
            for (String line = exchange.nextLine(); line != null && !complete; line = exchange.nextLine()) {
                if (!line.isBlank()) {
                    complete = response.line(exchange.parse(line));
                }
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
        for (; ; ) {
            try {
                return endpoint.post(request.provider(), "/api/chat", body, cancel);
            } catch (ProviderException refused) {
                if (!thinkingOtherwise(body, refused)) {
                    throw refused;
                }
            }
        }
    }

    /** Levels are for models that know them, others take only yes or no, and some do not think at all: what is refused is lowered. */
    private static boolean thinkingOtherwise(ObjectNode body, ProviderException refused) {
        JsonNode think = body.path(THINK);
        boolean about = refused.failure().message().toLowerCase(Locale.ROOT).contains("think");
        if (refused.failure().code() != FailureCode.PROVIDER_REFUSED || !about || think.isMissingNode()) {
            return false;
        }
        if (think.isTextual() && !refused.failure().message().contains("does not support thinking")) {
            body.put(THINK, true);
        } else {
            body.remove(THINK);
        }
        return true;
    }

    @Override
    public List<String> models(ProviderSpec provider) throws ProviderException {
        List<String> names = new ArrayList<>();
        for (JsonNode model : endpoint.get(provider, "/api/tags").path("models")) {
            names.add(model.path("name").asText());
        }
        return names;
    }
}
