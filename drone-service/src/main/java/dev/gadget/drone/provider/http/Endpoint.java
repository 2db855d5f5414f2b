package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Sends requests to model endpoints. HTTP/1.1 only: the client's attempt to upgrade confuses simple servers. */
@Singleton
public class Endpoint {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(15);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final Duration EXPLAINS_WITHIN = Duration.ofSeconds(5);
    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int MAX_LIST_BYTES = 4 << 20;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTS_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(Endpoint::execute)
            .build();
    private final SilenceWatch watch = new SilenceWatch();
    private final ObjectMapper mapper;
    private final Duration firstWithin;
    private final Duration nextWithin;

    /**
     * @param firstWithin how long the model may take to begin, its loading and its reading of the prompt included
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

    /**
     * What comes is put where its reader waits by the client's own thread: no other need be woken with each piece. Whatever a caller begins may
     * take its time, a name that is looked up for example, and leaves its thread.
     */
    private static void execute(Runnable task) {
        if (Thread.currentThread().getName().endsWith("SelectorManager")) {
            task.run();
        } else {
            Thread.ofVirtual().name("provider").start(task);
        }
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
        return get(provider, path, new CancelSignal());
    }

    /** Gets a small JSON document, unless it is cancelled. */
    public JsonNode get(ProviderSpec provider, String path, CancelSignal cancel) throws ProviderException {
        HttpRequest request = request(provider, path)
                .header("Accept", "application/json")
                .GET()
                .build();
        try (Exchange exchange = open(provider, request, ANSWERS_WITHIN, cancel)) {
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
        try {
            return key == null || key.isBlank() ? builder : builder.header("Authorization", "Bearer " + key.strip());
        } catch (IllegalArgumentException e) {
            // Its message holds the key, so it is not passed on.
            throw new ProviderException(
                    FailureCode.PROVIDER_UNAUTHORIZED,
                    "The API key holds characters that no header can carry. Set it again in the provider's settings.");
        }
    }

    private Exchange open(ProviderSpec provider, HttpRequest request, Duration within, CancelSignal cancel)
            throws ProviderException {
        String shown = Failures.shown(request.uri());
        long start = System.nanoTime();
        HttpResponse<InputStream> response;
        try {
            response = headers(request, shown, within, cancel);
        } catch (ProviderException unreachable) {
            if (!wasClosedMeanwhile(unreachable) || System.nanoTime() - start > AT_ONCE.toNanos()) {
                throw unreachable;
            }
            response = headers(request, shown, within, cancel);
        }
        Duration gone = Duration.ofNanos(System.nanoTime() - start);
        if (response.statusCode() / 100 == 2) {
            return new Exchange(response, shown, mapper, watch.watch(within, gone, nextWithin), cancel);
        }
        Duration patience = nextWithin.compareTo(EXPLAINS_WITHIN) < 0 ? nextWithin : EXPLAINS_WITHIN;
        var explaining = watch.watch(patience, Duration.ZERO, patience);
        try (var exchange = new Exchange(response, shown, mapper, explaining, cancel)) {
            throw Failures.ofStatus(provider, response, shown, exchange.errorText(MAX_ERROR_BYTES), mapper);
        }
    }

    /**
     * Whether the connection was lost before any answer. When that happens at once, it was most likely a kept one that the endpoint
     * had closed in the meantime, which the client does not try again by itself for a POST.
     */
    private static boolean wasClosedMeanwhile(ProviderException unreachable) {
        return unreachable.getCause() instanceof IOException lost
                && !(lost instanceof ConnectException)
                && !(lost instanceof HttpTimeoutException)
                && !(lost instanceof SSLException);
    }

    private HttpResponse<InputStream> headers(HttpRequest request, String shown, Duration within, CancelSignal cancel)
            throws ProviderException {
        CompletableFuture<HttpResponse<InputStream>> asked = client.sendAsync(request, head -> new KeptBody());
        try (var onCancel = cancel.onCancel(() -> abandon(asked))) {
            return asked.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (CancellationException e) {
            throw Failures.cancelled();
        } catch (TimeoutException e) {
            abandon(asked);
            throw Failures.stalled(shown, within);
        } catch (ExecutionException e) {
            throw cancel.cancelled() ? Failures.cancelled() : Failures.unreachable(shown, e.getCause());
        } catch (InterruptedException e) {
            abandon(asked);
            Thread.currentThread().interrupt();
            throw Failures.cancelled();
        }
    }

    /** Closes the connection, also when the answer begins in this very moment. */
    private static void abandon(CompletableFuture<HttpResponse<InputStream>> asked) {
        if (!asked.cancel(true) && !asked.isCompletedExceptionally()) {
            try (InputStream body = asked.join().body()) {
                // Only to be closed.
            } catch (IOException e) {
                // It is closed all the same.
            }
        }
    }
}
