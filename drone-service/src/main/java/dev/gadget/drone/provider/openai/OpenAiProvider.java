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

/** Endpoints that speak OpenAI's chat completions. */
@Singleton
public class OpenAiProvider implements ModelProvider {
    private static final String CHAT = "/chat/completions";
    private static final byte[] DATA = ascii("data:");
    private static final byte[] DONE = ascii("data: [DONE]");
    private static final byte[] DONE_CLOSE = ascii("data:[DONE]");
    private static final byte[] MARKUP = ascii("<");
    private static final int MAX_DOCUMENT_BYTES = 32 << 20;

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
        var terms = new Terms(refusals, request);
        try (Exchange exchange = ask(request, terms, cancel)) {
            var response = new OpenAiResponse(sink, exchange, request.provider(), terms::thinkingCameIn);
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

    private Exchange ask(RoundRequest request, Terms terms, CancelSignal cancel) throws ProviderException {
        for (; ; ) {
            ObjectNode body = requests.body(request, terms);
            try {
                Exchange exchange = endpoint.post(request.provider(), CHAT, body, cancel);
                terms.agreed();
                return exchange;
            } catch (ProviderException refused) {
                if (!terms.giveWay(body, refused)) {
                    throw refused;
                }
            }
        }
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
