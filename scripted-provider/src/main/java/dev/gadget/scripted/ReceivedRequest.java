package dev.gadget.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A request as the provider received it.
 *
 * @param headers names in lower case
 * @param body the parsed body; a missing node when there was none
 * @param ending how the answer ended, once it has
 */
public record ReceivedRequest(
        String method, String path, Map<String, String> headers, JsonNode body, CompletableFuture<Ending> ending) {
    /** How an answer ended. */
    public enum Ending {
        /** All was written as the script wanted it, faults included. */
        PLAYED,
        /** The client closed the connection before that. */
        CLIENT_LEFT,
        /** The provider was closed before that. */
        PROVIDER_CLOSED
    }

    public @Nullable String header(String name) {
        return headers.get(name.toLowerCase(java.util.Locale.ROOT));
    }

    public String model() {
        return body.path("model").asText("");
    }

    /** The OpenAI wire streams when asked to, Ollama's unless asked not to. */
    public boolean streams() {
        return body.path("stream").asBoolean(path.startsWith("/api/"));
    }

    /** The text of the last message of the person, without what the drone tells of the workspace after it. */
    public String lastUserText() {
        JsonNode messages = body.path("messages");
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).path("role").asText().equals("user")) {
                return text(messages.get(i).path("content")).replaceFirst("(?s)\n\n<workspace_now>.*$", "");
            }
        }
        return "";
    }

    private static String text(JsonNode content) {
        if (!content.isArray()) {
            return content.asText("");
        }
        StringBuilder out = new StringBuilder();
        content.forEach(part -> out.append(part.path("text").asText("")));
        return out.toString();
    }

    /** Assistant messages since the last message of the person. */
    public int round() {
        JsonNode messages = body.path("messages");
        int count = 0;
        for (int i = messages.size() - 1; i >= 0; i--) {
            String role = messages.get(i).path("role").asText();
            if (role.equals("user")) {
                break;
            }
            count += role.equals("assistant") ? 1 : 0;
        }
        return count;
    }

    /** Whether the client lets the model think: it does unless it says no. */
    public boolean thinks() {
        return !body.path("reasoning_effort").asText("").equals("none")
                && body.path("chat_template_kwargs").path("enable_thinking").asBoolean(true)
                && (!body.path("think").isBoolean() || body.path("think").asBoolean());
    }

    /** Waits for the end of the answer. */
    public Ending awaitEnding(long seconds) throws InterruptedException, TimeoutException {
        try {
            return ending.get(seconds, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException("The answer never fails, it ends", e);
        }
    }
}
