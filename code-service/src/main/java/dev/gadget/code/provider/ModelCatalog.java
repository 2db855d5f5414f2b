package dev.gadget.code.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gadget.code.RefusedException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderType;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks a model endpoint what it offers. */
@Singleton
class ModelCatalog {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ALL = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_MODELS = 2000;
    private static final int MAX_ID = 200;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(threads)
            .build();

    /** The names of its models, in the order that it gives; refused with a code when it does not say. */
    List<String> models(ProviderType type, String baseUrl, @Nullable String key) {
        String address = baseUrl
                + switch (type) {
                    case OPENAI -> "/models";
                    case OLLAMA -> "/api/tags";
                };
        HttpResponse<byte[]> answer = ask(address, key);
        check(answer.statusCode(), address);
        return switch (type) {
            case OPENAI -> names(answer.body(), "data", "id", address);
            case OLLAMA -> names(answer.body(), "models", "name", address);
        };
    }

    private HttpResponse<byte[]> ask(String address, @Nullable String key) {
        URI uri = URI.create(address);
        await(address, threads.submit(() -> refuseLinkLocal(address, uri.getHost())));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(ALL).header("Accept", "application/json");
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return await(
                address,
                client.sendAsync(request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES)));
    }

    /**
     * There clouds tell a machine its secrets, to whoever asks from it. What the name stands for now it stands for while the request is
     * made, because the JDK keeps what it found for half a minute.
     */
    private static boolean refuseLinkLocal(String address, String host) throws UnknownHostException {
        for (InetAddress one : InetAddress.getAllByName(host)) {
            if (one.isLinkLocalAddress()) {
                throw unreachable(
                        address, "its host is the link-local address " + one.getHostAddress() + ", which is not asked");
            }
        }
        return true;
    }

    private static <T> T await(String address, Future<T> answer) {
        try {
            return answer.get(ALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            answer.cancel(true);
            throw unreachable(address, "it does not answer within " + ALL.toSeconds() + " s");
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw unreachable(address, "the service goes down");
        } catch (ExecutionException e) {
            throw translated(address, e.getCause());
        }
    }

    private static RefusedException translated(String address, @Nullable Throwable cause) {
        return switch (cause) {
            case RefusedException refused -> refused;
            case UnknownHostException _ -> unreachable(address, "the name is not known");
            case java.net.http.HttpConnectTimeoutException _ -> unreachable(address, "no connection came about");
            case java.net.http.HttpTimeoutException _ ->
                unreachable(address, "it does not answer within " + ALL.toSeconds() + " s");
            case java.net.ConnectException _ -> unreachable(address, "nothing listens there, or the name is not known");
            case java.nio.channels.UnresolvedAddressException _ -> unreachable(address, "the name is not known");
            case javax.net.ssl.SSLException _ ->
                unreachable(address, "its certificate or TLS is not accepted; is it https at all?");
            case IOException io
            when String.valueOf(io.getMessage()).contains("capacity") ->
                protocol(address, "its answer is longer than " + (MAX_BYTES >> 20) + " MB");
            case null, default -> protocol(address, "the connection broke before the answer was whole");
        };
    }

    private static void check(int status, String address) {
        switch (status) {
            case 200 -> {}
            case 401, 403 ->
                throw new RefusedException(
                        FailureCode.PROVIDER_UNAUTHORIZED,
                        address + " answers " + status + ": the key is missing or wrong. Set the provider's key anew.");
            case 429 ->
                throw new RefusedException(
                        FailureCode.RATE_LIMITED, address + " answers 429: too many requests. Try again in a moment.");
            case 404 ->
                throw protocol(
                        address,
                        "it answers 404. An openai base URL usually ends with /v1, an ollama one with the port");
            default -> {
                if (status >= 500) {
                    throw new RefusedException(
                            FailureCode.PROVIDER_ERROR, address + " answers " + status + ": it has trouble itself.");
                }
                throw protocol(address, "it answers " + status);
            }
        }
    }

    private static List<String> names(byte[] body, String list, String name, String address) {
        JsonNode root;
        try {
            root = JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw protocol(address, "its answer is not JSON");
        }
        JsonNode items = root.path(list);
        if (!items.isArray()) {
            throw protocol(address, "its answer has no list '" + list + "'");
        }
        List<String> names = new ArrayList<>();
        for (JsonNode item : items) {
            String value = item.path(name).asText("");
            if (!value.isBlank() && value.length() <= MAX_ID && names.size() < MAX_MODELS) {
                names.add(value);
            }
        }
        return names;
    }

    private static RefusedException unreachable(String address, String why) {
        return new RefusedException(
                FailureCode.PROVIDER_UNREACHABLE,
                "The provider cannot be reached at " + address + ": " + why
                        + ". Check the base URL, and that the endpoint runs and is reachable from the code service.");
    }

    private static RefusedException protocol(String address, String why) {
        return new RefusedException(
                FailureCode.PROVIDER_PROTOCOL,
                address + " does not answer like a model endpoint: " + why
                        + ". Check the base URL and the type of the provider.");
    }

    @PreDestroy
    void close() {
        client.shutdownNow();
    }
}
