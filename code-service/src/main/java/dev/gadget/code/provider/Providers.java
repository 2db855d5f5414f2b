package dev.gadget.code.provider;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.work.ProviderSpec;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** The model providers of people, with their keys sealed. */
@ApplicationScoped
public class Providers {
    private final ProviderArchive archive;
    private final SecretBox secrets;

    Providers(ProviderArchive archive, SecretBox secrets) {
        this.archive = archive;
        this.secrets = secrets;
    }

    /** How a drone reaches this provider, its key in the open; refused as {@code invalid_field} when it is gone. */
    public ProviderSpec spec(UserId owner, ProviderId id) {
        Provider provider = archive.find(owner, id)
                .orElseThrow(() -> new RefusedException(
                        FailureCode.INVALID_FIELD,
                        "The provider " + id + " does not exist (any more). Choose another one for the session.",
                        "providerId"));
        return new ProviderSpec(
                provider.type(),
                provider.name(),
                provider.baseUrl(),
                key(provider),
                provider.disableStreaming() ? Boolean.TRUE : null);
    }

    private @Nullable String key(Provider provider) {
        String sealed = provider.sealedKey();
        return sealed == null ? null : secrets.open(sealed, provider.id().value());
    }
}
