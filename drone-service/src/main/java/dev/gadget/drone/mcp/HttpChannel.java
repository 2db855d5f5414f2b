package dev.gadget.drone.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.mcp.McpException.Kind;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.http.KeptBody;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A server at an address: each message is a POST, and its answer a document or a stream of events. */
final class HttpChannel implements McpChannel {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(10);
    private static final Duration GOODBYE_WITHIN = Duration.ofSeconds(2);
    private static final int MAX_ERROR_BYTES = 16 << 10;
    private static final int MAX_ANSWERS_UNDER_WAY = 8;
    private static final String SESSION = "Mcp-Session-Id";

    /** Redirects are not followed: the headers may hold a password, and are for this address. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECTS_WITHIN)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private final ServerConfig.Http config;
    private final Map<String, String> headers;
    private final ServerRequests requests;
    private final AtomicLong ids = new AtomicLong();
    private final Semaphore answers = new Semaphore(MAX_ANSWERS_UNDER_WAY);
    private volatile @Nullable String session;
    private volatile @Nullable String version;
    private volatile boolean closed;
    private volatile boolean gone;

    HttpChannel(ServerConfig.Http config, Map<String, String> own, ServerRequests requests) throws McpException {
        this.config = config;
        this.headers = Placeholders.filled(config.headers(), own);
        this.requests = requests;
    }

    @Override
    public JsonNode request(String method, ObjectNode params, Duration limit, CancelSignal cancel)
            throws McpException, InterruptedException {
        long id = ids.incrementAndGet();
        try (var deadline = new Deadline(limit, cancel)) {
            try {
                return JsonRpc.resultOf(exchange(JsonRpc.request(id, method, params), id, deadline));
            } catch (McpException e) {
                McpException failure = deadline.reason(e);
                if (failure.kind() == Kind.CANCELLED || failure.kind() == Kind.TIMED_OUT) {
                    inTheBackground(JsonRpc.cancelled(id, "nobody waits for it any more"));
                }
                throw failure;
            }
        }
    }

    @Override
    public void tell(String method, ObjectNode params) throws McpException, InterruptedException {
        post(JsonRpc.notification(method, params));
    }

    private void post(ObjectNode message) throws McpException, InterruptedException {
        try (var deadline = new Deadline(TOLD_WITHIN, new CancelSignal())) {
            HttpResponse<InputStream> response = send(message, deadline);
            try (InputStream body = response.body()) {
                deadline.stops(() -> closeQuietly(body));
                requireGood(response, body);
            } catch (IOException e) {
                throw deadline.reason(broken(e));
            }
        }
    }

    private void inTheBackground(ObjectNode message) {
        if (!answers.tryAcquire()) {
            return;
        }
        Thread.ofVirtual().name("mcp-post " + config.name()).start(() -> {
            try {
                post(message);
            } catch (McpException e) {
                // It was told as well as it could be.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                answers.release();
            }
        });
    }

    private JsonNode exchange(ObjectNode message, long id, Deadline deadline)
            throws McpException, InterruptedException {
        HttpResponse<InputStream> response = send(message, deadline);
        InputStream body = response.body();
        deadline.stops(() -> closeQuietly(body));
        try {
            requireGood(response, body);
            response.headers().firstValue(SESSION).ifPresent(given -> session = given);
            String type =
                    response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
            return type.startsWith("text/event-stream") ? fromEvents(body, id) : fromDocument(body, id, type);
        } catch (McpException e) {
            throw e;
        } catch (IOException e) {
            throw broken(e);
        } finally {
            closeQuietly(body);
        }
    }

    private HttpResponse<InputStream> send(ObjectNode message, Deadline deadline)
            throws McpException, InterruptedException {
        if (closed) {
            throw new McpException(Kind.BROKEN, "was stopped");
        }
        if (gone) {
            throw forgotten();
        }
        HttpRequest request = builder()
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(message)))
                .build();
        CompletableFuture<HttpResponse<InputStream>> response = client.sendAsync(request, _ -> new KeptBody());
        deadline.stops(() -> response.cancel(true));
        try {
            return response.get();
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        } catch (CancellationException e) {
            throw deadline.reason(new McpException(Kind.BROKEN, "was stopped", e));
        } catch (ExecutionException e) {
            throw deadline.reason(broken(e.getCause()));
        }
    }

    private HttpRequest.Builder builder() throws McpException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(config.url());
        try {
            headers.forEach(builder::setHeader);
        } catch (IllegalArgumentException e) {
            throw new McpException(Kind.UNUSABLE, "one of its `headers` has a value that no header can have");
        }
        String known = session;
        if (known != null) {
            builder.setHeader(SESSION, known);
        }
        String spoken = version;
        if (spoken != null) {
            builder.setHeader("MCP-Protocol-Version", spoken);
        }
        return builder;
    }

    private void requireGood(HttpResponse<InputStream> response, InputStream body) throws IOException {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return;
        }
        if (status == 404 && session != null) {
            gone = true;
            throw forgotten();
        }
        if (status / 100 == 3) {
            String to = response.headers().firstValue("Location").orElse("nowhere");
            throw refused(
                    status, "redirects to " + Shown.text(to, 200) + "; write that address into the configuration");
        }
        String said = said(body.readNBytes(MAX_ERROR_BYTES));
        throw refused(
                status,
                switch (status) {
                    case 401, 403 -> "does not let the drone in; check `headers`" + said;
                    case 404, 405 -> "does not speak streamable HTTP at this address; check `url`" + said;
                    default -> "failed" + said;
                });
    }

    private static McpException forgotten() {
        return new McpException(Kind.SESSION_GONE, "has forgotten this session");
    }

    private static McpException refused(int status, String what) {
        return new McpException(Kind.REFUSED, what + " (status " + status + ")");
    }

    private static String said(byte[] body) {
        return Json.lenient(body)
                .map(node -> node.path("error").path("message").asText(""))
                .filter(text -> !text.isBlank())
                .map(text -> ": " + Shown.text(text, 500))
                .orElse("");
    }

    private JsonNode fromDocument(InputStream body, long id, String type) throws IOException {
        byte[] bytes = body.readNBytes(MAX_MESSAGE_BYTES + 1);
        if (bytes.length > MAX_MESSAGE_BYTES) {
            throw new McpException(
                    Kind.REFUSED,
                    "answered with more than " + (MAX_MESSAGE_BYTES >> 20)
                            + " MiB, which was thrown away. Ask for less at once");
        }
        return Json.lenient(bytes)
                .flatMap(read -> response(read, id))
                .orElseThrow(() -> new McpException(
                        Kind.REFUSED,
                        "answered with something that is no answer to what was asked ("
                                + (type.isEmpty() ? "of no type" : Shown.text(type, 60)) + ", " + bytes.length
                                + " bytes)"));
    }

    private JsonNode fromEvents(InputStream body, long id) throws IOException {
        EventStream events = new EventStream(body);
        for (Optional<byte[]> event = events.next(); event.isPresent(); event = events.next()) {
            Optional<JsonNode> response = Json.lenient(event.get()).flatMap(read -> response(read, id));
            if (response.isPresent()) {
                return response.get();
            }
        }
        throw new McpException(Kind.BROKEN, "closed the stream of events without an answer");
    }

    /** The response with this id; what else it says is taken on the way. */
    private Optional<JsonNode> response(JsonNode message, long id) {
        if (message.isArray()) {
            Optional<JsonNode> found = Optional.empty();
            for (JsonNode one : message) {
                found = found.or(() -> one.isObject() ? response(one, id) : Optional.empty());
            }
            return found;
        }
        if (JsonRpc.isResponse(message)) {
            return message.path("id").asLong() == id ? Optional.of(message) : Optional.empty();
        }
        requests.take(message).ifPresent(this::inTheBackground);
        return Optional.empty();
    }

    private static McpException broken(@Nullable Throwable cause) {
        if (cause instanceof McpException known) {
            return known;
        }
        String why = switch (cause) {
            case SSLException e -> "there is no secure connection to it (" + e.getMessage() + ")";
            case ConnectException e -> "nothing answers at its address";
            case null -> "the connection broke";
            default -> "the connection broke (" + cause.getMessage() + ")";
        };
        return new McpException(Kind.BROKEN, "cannot be reached: " + Shown.text(why, 500), cause);
    }

    private static void closeQuietly(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // It is closed all the same.
            return;
        }
    }

    @Override
    public void agreed(String spoken) {
        version = spoken;
    }

    @Override
    public boolean alive() {
        return !closed && !gone;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (session != null && !gone) {
            try {
                client.sendAsync(
                                builder().DELETE().timeout(GOODBYE_WITHIN).build(),
                                HttpResponse.BodyHandlers.discarding())
                        .orTimeout(GOODBYE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (McpException | CompletionException e) {
                // It forgets the session by itself in time.
                gone = true;
            }
        }
        client.shutdownNow();
    }
}
