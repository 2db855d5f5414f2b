package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.work.ProviderSpec;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in words what an endpoint did wrong, and what to check. */
public final class Failures {
    private static final int SHOWN_CHARS = 300;
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(10);

    private Failures() {}

    /** The address as it may be shown: without user, password and query. */
    static String shown(URI uri) {
        return uri.getHost() == null ? "the provider" : uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    static ProviderException cancelled() {
        return new ProviderException(FailureCode.CANCELLED, "The response was cancelled.");
    }

    static ProviderException stalled(String shown, Duration silence) {
        return new ProviderException(
                FailureCode.STALLED,
                shown + " said nothing for " + silence.toMillis() / 1000.0
                        + " s. Is the model loaded, or the endpoint overloaded?");
    }

    static ProviderException unreachable(String shown, @Nullable Throwable cause) {
        return new ProviderException(
                FailureCode.PROVIDER_UNREACHABLE,
                "The provider at " + shown + " cannot be reached from the drone's machine: " + why(cause),
                null,
                cause);
    }

    private static String why(@Nullable Throwable cause) {
        return switch (cause) {
            case HttpTimeoutException slow ->
                "it took too long to connect. Check the address, and firewalls in between.";
            case ConnectException refused
            when isUnresolved(refused) ->
                "its name is not known there. Check the host in the base URL, and the machine's DNS.";
            case ConnectException refused ->
                "nothing accepts connections there. Check that it runs, and host and port in its base URL.";
            case SSLException tls ->
                "no safe connection came about (" + cut(String.valueOf(tls.getMessage()))
                        + "). Check its certificate, and whether the base URL should begin with http:// or https://.";
            case null -> "there was no answer.";
            default ->
                "it closed the connection before it answered (" + cut(String.valueOf(cause.getMessage()))
                        + "). Check that it runs and speaks HTTP, and look at its log.";
        };
    }

    private static boolean isUnresolved(Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException || at instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    /** What an answer with a status of failure means. */
    static ProviderException ofStatus(
            ProviderSpec provider, HttpResponse<InputStream> response, String shown, String body, ObjectMapper mapper) {
        int status = response.statusCode();
        String said = said(body, mapper);
        String detail = said.isEmpty() ? "" : " It said: " + redacted(said, provider);
        FailureCode code = code(status, said);
        String message = switch (code) {
            case PROVIDER_UNAUTHORIZED ->
                shown + " did not accept the API key (" + status + "). Set the right one in the provider's settings.";
            case MODEL_NOT_FOUND ->
                shown + " does not know the model or the path (" + status
                        + "). Choose a model that it offers, and check the base URL.";
            case RATE_LIMITED -> shown + " asks to slow down (" + status + ").";
            case CONTEXT_OVERFLOW ->
                "The conversation is longer than the model's context. Start a new session, or choose a model with a larger one.";
            case PROVIDER_REFUSED ->
                status / 100 == 3
                        ? shown + " answered that it moved (" + status
                                + "). Set its new address as the provider's base URL."
                        : shown + " refused the request (" + status + ").";
            default -> shown + " failed (" + status + "). This is on its side; try again, or look at its log.";
        };
        return new ProviderException(
                code, message + detail, retryAfter(response).orElse(null), null);
    }

    /** An error that came inside a successful response. */
    public static ProviderException inStream(String shown, JsonNode error, ProviderSpec provider) {
        JsonNode message = error.isObject() ? error.path("message") : error;
        String said = message.isMissingNode() ? error.toString() : message.asText();
        int status = error.path("code").asInt(error.path("status").asInt(500));
        FailureCode code = status >= 400 && status < 600 ? code(status, said) : FailureCode.PROVIDER_ERROR;
        return new ProviderException(
                code,
                shown + " broke the response off with an error (\"" + redacted(cut(said), provider)
                        + "\"). This is on its side; try again, or look at its log.");
    }

    private static FailureCode code(int status, String said) {
        return switch (status) {
            case 401, 403 -> FailureCode.PROVIDER_UNAUTHORIZED;
            case 404 -> FailureCode.MODEL_NOT_FOUND;
            case 413 -> FailureCode.CONTEXT_OVERFLOW;
            case 429 -> FailureCode.RATE_LIMITED;
            default -> {
                String lower = said.toLowerCase(Locale.ROOT);
                if (saysOverflow(lower)) {
                    yield FailureCode.CONTEXT_OVERFLOW;
                }
                if (status >= 500 || status == 408) {
                    yield FailureCode.PROVIDER_ERROR;
                }
                yield saysUnknownModel(lower) ? FailureCode.MODEL_NOT_FOUND : FailureCode.PROVIDER_REFUSED;
            }
        };
    }

    private static boolean saysOverflow(String lower) {
        if (lower.contains("context deadline") || lower.contains("context canceled")) {
            return false; // Go's words for a time-out
        }
        return lower.contains("prompt is too long")
                || lower.contains("maximum prompt length")
                || (lower.contains("token count") && lower.contains("exceed"))
                || (lower.contains("context")
                        && (lower.contains("exceed")
                                || lower.contains("length")
                                || lower.contains("maximum")
                                || lower.contains("too long")));
    }

    private static boolean saysUnknownModel(String lower) {
        return lower.contains("model")
                && (lower.contains("not found") || lower.contains("does not exist") || lower.contains("no such model"));
    }

    private static String said(String body, ObjectMapper mapper) {
        try {
            JsonNode node = mapper.readTree(body);
            return node == null ? "" : cut(words(node.isArray() ? node.path(0) : node));
        } catch (JsonProcessingException e) {
            return body.stripLeading().startsWith("<") ? "" : cut(body);
        }
    }

    private static String words(JsonNode body) {
        JsonNode error = body.path("error");
        if (error.isTextual()) {
            return error.asText();
        }
        JsonNode about = error.isObject() ? error : body;
        return Stream.of("message", "detail")
                .map(about::path)
                .filter(said -> !said.isMissingNode() && !said.isNull())
                .map(said -> said.isTextual() ? said.asText() : said.toString())
                .findFirst()
                .orElse(error.isObject() ? error.toString() : "");
    }

    private static Optional<Duration> retryAfter(HttpResponse<InputStream> response) {
        return response.headers()
                .firstValue("Retry-After")
                .flatMap(Failures::waiting)
                .filter(wait -> !wait.isNegative())
                .map(wait -> wait.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : wait);
    }

    private static Optional<Duration> waiting(String value) {
        try {
            return Optional.of(Duration.ofMillis((long) (Double.parseDouble(value.strip()) * 1000)));
        } catch (NumberFormatException e) {
            try {
                Instant at = ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant();
                return Optional.of(Duration.between(Instant.now(), at));
            } catch (DateTimeException unknown) {
                return Optional.empty();
            }
        }
    }

    private static String redacted(String text, ProviderSpec provider) {
        String key = provider.apiKey();
        return key == null || key.isBlank() ? text : text.replace(key.strip(), "…");
    }

    private static String cut(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() > SHOWN_CHARS ? line.substring(0, SHOWN_CHARS) + "…" : line;
    }
}
