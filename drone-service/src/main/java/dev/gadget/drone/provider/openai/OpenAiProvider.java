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
import dev.gadget.drone.provider.http.ModelNames;
import dev.gadget.drone.provider.http.Refusals;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import dev.gadget.model.work.ProviderSpec;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Endpoints that speak OpenAI's chat completions. */
@Singleton
public class OpenAiProvider implements ModelProvider {
    private static final String CHAT = "/chat/completions";
    private static final byte[] DATA = ascii("data:");
    private static final byte[] DONE = ascii("data: [DONE]");
    private static final byte[] DONE_CLOSE = ascii("data:[DONE]");
    private static final byte[] MARKUP = ascii("<");
    private static final int MAX_DOCUMENT_BYTES = 32 << 20;
    /** Fields that some endpoints refuse; they are left out when an endpoint says so by name. */
    private static final List<String> OPTIONAL = List.of("reasoning_effort", "stream_options", "parallel_tool_calls");

    private final Endpoint endpoint;
    private final OpenAiRequests requests;
    private final Refusals refusals = new Refusals();

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
                response.document(exchange.json(MAX_DOCUMENT_BYTES));
            } else {
                read(exchange, response);
            }
        } catch (ProviderException failure) {
            sink.fail(failure.failure(), failure.retryAfter());
        }
    }

    private static void read(Exchange exchange, OpenAiResponse response) throws ProviderException {
        boolean error = false;
        while (exchange.nextLine()) {
            if (exchange.lineStartsWith(DATA)) {
                if (exchange.lineStartsWith(DONE) || exchange.lineStartsWith(DONE_CLOSE)) {
                    break;
                }
                data(exchange, response, error);
            } else if (exchange.lineIsBlank()) {
                error = false;
            } else {
                // Comments and other fields say nothing, not even that the model is alive.
                refuseMarkup(exchange);
                error |= exchange.line().replace(" ", "").equals("event:error");
            }
        }
        response.over();
    }

    private static void data(Exchange exchange, OpenAiResponse response, boolean error) throws ProviderException {
        JsonNode data = exchange.parseLine(DATA.length);
        if (error) {
            response.error(data);
        } else {
            response.chunk(data);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void refuseMarkup(Exchange exchange) throws ProviderException {
        if (exchange.lineStartsWith(MARKUP)) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    exchange.shown()
                            + " sent markup instead of events. Check the provider's base URL: it ends with /v1.");
        }
    }

    private Exchange ask(RoundRequest request, CancelSignal cancel) throws ProviderException {
        ObjectNode body = requests.body(request);
        OPTIONAL.stream()
                .filter(field -> refusals.has(request.provider(), request.model(), field))
                .forEach(body::remove);
        for (; ; ) {
            try {
                return endpoint.post(request.provider(), CHAT, body, cancel);
            } catch (ProviderException refused) {
                String field = refusedField(body, refused);
                if (field == null) {
                    throw refused;
                }
                body.remove(field);
                refusals.add(request.provider(), request.model(), field);
            }
        }
    }

    private static @Nullable String refusedField(ObjectNode body, ProviderException refused) {
        if (refused.failure().code() != FailureCode.PROVIDER_REFUSED) {
            return null;
        }
        String message = refused.failure().message();
        return OPTIONAL.stream()
                .filter(field -> body.has(field) && message.contains(field))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Optional<Integer> reportedContext(ProviderSpec provider, String model, CancelSignal cancel)
            throws ProviderException {
        return new ReportedContext(endpoint, provider, cancel).of(model);
    }

    @Override
    public List<String> models(ProviderSpec provider) throws ProviderException {
        return ModelNames.in(endpoint, provider, "/models", "data", "id");
    }
}
