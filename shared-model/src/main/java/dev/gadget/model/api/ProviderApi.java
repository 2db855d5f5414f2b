package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Bodies about model providers. */
public final class ProviderApi {
    private ProviderApi() {}

    /** POST /providers; the key is written and never read back. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record CreateProvider(
            String name,
            ProviderType type,
            String baseUrl,
            @Nullable String apiKey,
            @Nullable String defaultModel,
            @Nullable Boolean disableStreaming) {
        @Override
        public String toString() {
            return "CreateProvider[" + name + " " + type + " " + baseUrl + "]";
        }
    }

    /** PATCH /providers/{id}: what is absent stays; an empty key removes it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record UpdateProvider(
            @Nullable String name,
            @Nullable String baseUrl,
            @Nullable String apiKey,
            @Nullable String defaultModel,
            @Nullable Boolean disableStreaming) {
        @Override
        public String toString() {
            return "UpdateProvider[" + name + " " + baseUrl + "]";
        }
    }

    /** One provider, without its key. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ProviderView(
            ProviderId id,
            String name,
            ProviderType type,
            String baseUrl,
            boolean hasApiKey,
            @Nullable String defaultModel,
            boolean disableStreaming,
            Instant createdAt) {}

    /** One model that a provider offers. */
    public record ModelView(String id) {}
}
