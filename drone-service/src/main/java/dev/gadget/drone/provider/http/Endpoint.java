package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Sends requests to model endpoints. HTTP/1.1 only: the client's attempt to upgrade confuses simple servers. */
@Singleton
public class Endpoint {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(15);
    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int MAX_LIST_BYTES = 4 << 20;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTS_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final ObjectMapper mapper;
    private final Duration firstWithin;
    private final Duration nextWithin;

    /**
     * @param firstWithin how long a response may take to begin
     * @param nextWithin how long it may be silent afterwards; comments and blank lines do not count as something said
     */
    public Endpoint(
            ObjectMapper mapper,
            @ConfigProperty(name = "gadget.drone.provider.first-event", defaultValue = "PT5M") Duration firstWithin,
            @ConfigProperty(name = "gadget.drone.provider.next-event", defaultValue = "PT2M") Duration nextWithin) {
        this.mapper = mapper;
        this.firstWithin = firstWithin;
        this.nextWithin = nextWithin;
    }

    public ObjectMapper mapper() {
        return mapper;
    }

    /** Posts JSON and opens the response for reading; a status of failure is thrown as what it means. */
    public Exchange post(ProviderSpec provider, String path, JsonNode body, CancelSignal cancel)
            throws ProviderException {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        HttpRequest request = request(provider, path)
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream, application/x-ndjson, application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(bytes))
                .build();
        return open(provider, request, firstWithin, cancel);
    }

    /** Gets a small JSON document. */
    public JsonNode get(ProviderSpec provider, String path) throws ProviderException {
        HttpRequest request = request(provider, path)
                .header("Accept", "application/json")
                .GET()
                .build();
        try (Exchange exchange = open(provider, request, ANSWERS_WITHIN, new CancelSignal())) {
            return exchange.json(MAX_LIST_BYTES);
        }
    }

    private static HttpRequest.Builder request(ProviderSpec provider, String path) throws ProviderException {
        String base = provider.baseUrl().endsWith("/")
                ? provider.baseUrl().substring(0, provider.baseUrl().length() - 1)
                : provider.baseUrl();
        HttpRequest.Builder builder;
        try {
            builder = HttpRequest.newBuilder(URI.create(base + path));
        } catch (IllegalArgumentException e) {
            throw new ProviderException(
                    FailureCode.PROVIDER_UNREACHABLE,
                    "The provider's address is not a URL that can be called. It has to look like http://host:port/v1.",
                    e);
        }
        String key = provider.apiKey();
        return key == null || key.isBlank() ? builder : builder.header("Authorization", "Bearer " + key.strip());
    }

    private Exchange open(ProviderSpec provider, HttpRequest request, Duration within, CancelSignal cancel)
            throws ProviderException {
        String shown = Failures.shown(request.uri());
        CompletableFuture<HttpResponse<InputStream>> asked =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        HttpResponse<InputStream> response;
        try (var onCancel = cancel.onCancel(() -> asked.cancel(true))) {
            response = asked.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (CancellationException e) {
            throw Failures.cancelled();
        } catch (TimeoutException e) {
            asked.cancel(true);
            throw Failures.stalled(shown, within);
        } catch (ExecutionException e) {
            throw cancel.cancelled() ? Failures.cancelled() : Failures.unreachable(shown, e.getCause());
        } catch (InterruptedException e) {
            asked.cancel(true);
            Thread.currentThread().interrupt();
            throw Failures.cancelled();
        }
        var exchange = new Exchange(response, shown, mapper, nextWithin, cancel);
        if (response.statusCode() / 100 != 2) {
            try (exchange) {
                throw Failures.ofStatus(provider, response, shown, exchange.text(MAX_ERROR_BYTES), mapper);
            }
        }
        return exchange;
    }
}
