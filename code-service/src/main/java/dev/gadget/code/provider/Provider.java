package dev.gadget.code.provider;

import dev.gadget.model.ModelPrice;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import dev.gadget.model.UserId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One model provider of a person, as it is stored.
 *
 * @param sealedKey the API key under AES-256-GCM, or null when there is none
 * @param defaultModel what a session gets that names no model
 */
public record Provider(
        ProviderId id,
        UserId ownerId,
        String name,
        ProviderType type,
        String baseUrl,
        @Nullable String sealedKey,
        @Nullable String defaultModel,
        boolean disableStreaming,
        List<ModelPrice> prices,
        Instant createdAt,
        long version) {
    public Provider {
        prices = List.copyOf(prices);
    }
}
