package dev.gadget.model.work;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ProviderType;
import org.jspecify.annotations.Nullable;

/**
 * How a drone reaches the model: all that is needed to build it at run time.
 *
 * @param baseUrl for {@code openai} up to and with {@code /v1}, for {@code ollama} the server's root
 * @param apiKey absent when the endpoint wants none, or when the drone holds the key itself
 * @param disableStreaming for endpoints that cannot stream; the stored result is the same
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProviderSpec(
        ProviderType type,
        String name,
        String baseUrl,
        @Nullable String apiKey,
        @Nullable Boolean disableStreaming) {
    @Override
    public String toString() {
        return "ProviderSpec[" + type + " " + name + " " + baseUrl + (apiKey == null ? "" : " with key") + "]";
    }
}
