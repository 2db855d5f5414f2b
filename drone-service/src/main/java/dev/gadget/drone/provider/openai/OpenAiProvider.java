package dev.gadget.drone.provider.openai;

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
import java.util.function.Consumer;

/** Endpoints that speak OpenAI's chat completions. */
@Singleton
public class OpenAiProvider implements ModelProvider {
    private static final String CHAT = "/chat/completions";
    private static final String DATA = "data:";
    private static final String DONE = "[DONE]";
    /** Fields that some endpoints refuse; they are left out when an endpoint says so by name. */
    private static final List<String> OPTIONAL = List.of("reasoning_effort", "stream_options");

    private final Endpoint endpoint;
    private final OpenAiRequests requests;

    public OpenAiProvider(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.requests = new OpenAiRequests(endpoint.mapper());
    }

    @Override
    public ProviderType type() {
        return ProviderType.OPENAI;
    }

    @Override
    public void stream(RoundRequest request, Consumer<RoundEvent> events, CancelSignal cancel) {
        var sink = new RoundSink(events);
        try (Exchange exchange = ask(request, cancel)) {
            var response = new OpenAiResponse(sink, exchange, request.provider());
            if (exchange.isDocument()) {
                response.document(exchange.json(Integer.MAX_VALUE - 8));
            } else {
                read(exchange, response);
            }
        } catch (ProviderException failure) {
            sink.fail(failure.failure(), failure.retryAfter());
        }
    }

    private static void read(Exchange exchange, OpenAiResponse response) throws ProviderException {
        boolean error = false;
        for (String line = exchange.nextLine(); line != null; line = exchange.nextLine()) {
            if (!line.startsWith(DATA)) {
                // Comments, other fields and blank lines say nothing, not even that the model is alive.
                error = line.isEmpty() ? false : error || line.replace(" ", "").equals("event:error");
                refuseMarkup(exchange, line);
                continue;
            }
            String data = line.substring(DATA.length()).strip();
            if (data.equals(DONE)) {
                break;
            }
            if (error) {
                response.error(exchange.parse(data));
            } else if (!data.isEmpty()) {
                response.chunk(exchange.parse(data));
            }
        }
        response.over();
    }

    private static void refuseMarkup(Exchange exchange, String line) throws ProviderException {
        if (line.startsWith("<")) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    exchange.shown()
                            + " sent markup instead of events. Check the provider's base URL: it ends with /v1.");
        }
    }

    private Exchange ask(RoundRequest request, CancelSignal cancel) throws ProviderException {
        ObjectNode body = requests.body(request);
        for (; ; ) {
            try {
                return endpoint.post(request.provider(), CHAT, body, cancel);
            } catch (ProviderException refused) {
                if (!withoutWhatWasRefused(body, refused)) {
                    throw refused;
                }
            }
        }
    }

    private static boolean withoutWhatWasRefused(ObjectNode body, ProviderException refused) {
        return refused.failure().code() == FailureCode.PROVIDER_REFUSED
                && OPTIONAL.stream()
                        .anyMatch(field -> refused.failure().message().contains(field) && body.remove(field) != null);
    }

    @Override
    public List<String> models(ProviderSpec provider) throws ProviderException {
        List<String> names = new ArrayList<>();
        for (JsonNode model : endpoint.get(provider, "/models").path("data")) {
            names.add(model.path("id").asText());
        }
        return names;
    }
}
