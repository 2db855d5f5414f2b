package dev.gadget.code.provider;

import dev.gadget.code.RefusedException;
import dev.gadget.code.http.Checks;
import dev.gadget.code.store.ModelProfileArchive;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ModelPrice;
import dev.gadget.model.ModelProfile;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProviderApi.CreateProvider;
import dev.gadget.model.api.ProviderApi.UpdateProvider;
import dev.gadget.model.work.ProviderSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The model providers of people, with their keys sealed. */
@ApplicationScoped
public class Providers {
    private static final Logger LOG = Logger.getLogger(Providers.class);
    private static final int MAX_NAME = 100;
    private static final int MAX_MODEL = 200;
    private static final int MAX_KEY = 4096;
    private static final int MOST_PRICES = 200;

    private final ProviderArchive archive;
    private final ModelProfileArchive profiles;
    private final SecretBox secrets;

    Providers(ProviderArchive archive, ModelProfileArchive profiles, SecretBox secrets) {
        this.archive = archive;
        this.profiles = profiles;
        this.secrets = secrets;
    }

    /** How a drone reaches this provider, its key in the open; refused as {@code invalid_field} when it is gone, or its key cannot be read. */
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

    public Slice<Provider> list(UserId owner, Optional<String> after, int limit) {
        return archive.list(owner, after, limit);
    }

    public Provider get(UserId owner, ProviderId id) {
        return archive.find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no provider " + id + "."));
    }

    public Provider create(UserId owner, CreateProvider wanted) {
        ProviderId id = ProviderId.random();
        Provider provider = new Provider(
                id,
                owner,
                Checks.line("name", wanted.name(), MAX_NAME),
                wanted.type(),
                BaseUrl.checked(wanted.baseUrl()),
                sealed(id, wanted.apiKey()),
                model(wanted.defaultModel()),
                Boolean.TRUE.equals(wanted.disableStreaming()),
                prices(wanted.prices(), List.of()),
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                0);
        named(() -> archive.insert(provider));
        return provider;
    }

    /**
     * Changes what the update names; an empty key or model is taken away. Refused as {@code invalid_field} when it names another server
     * and no key while there is one: whoever may change an address must not learn a key by it.
     */
    public Provider update(UserId owner, ProviderId id, UpdateProvider update) {
        Provider old = get(owner, id);
        String baseUrl = update.baseUrl() == null ? old.baseUrl() : BaseUrl.checked(update.baseUrl());
        String origin = BaseUrl.origin(old.baseUrl());
        if (old.sealedKey() != null && update.apiKey() == null && !origin.equals(BaseUrl.origin(baseUrl))) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The key that is kept is for " + origin + " only, and the base URL is of another server now."
                            + " Give the key again, or remove it.",
                    "apiKey");
        }
        Provider changed = new Provider(
                id,
                owner,
                update.name() == null ? old.name() : Checks.line("name", update.name(), MAX_NAME),
                old.type(),
                baseUrl,
                update.apiKey() == null ? old.sealedKey() : sealed(id, update.apiKey()),
                update.defaultModel() == null ? old.defaultModel() : model(update.defaultModel()),
                Objects.requireNonNullElse(update.disableStreaming(), old.disableStreaming()),
                prices(update.prices(), old.prices()),
                old.createdAt(),
                old.version());
        named(() -> archive.replace(changed));
        if (!baseUrl.equals(old.baseUrl())) {
            // Another server may have other models under the same names.
            profiles.deleteOfProvider(owner, id);
        }
        return get(owner, id);
    }

    /** Whether it has another address, or another key or model than the given ones. */
    public boolean differs(Provider provider, String baseUrl, Optional<String> key, Optional<String> model) {
        return !provider.baseUrl().equals(BaseUrl.checked(baseUrl))
                || (key.isPresent() && !has(provider, key.get().strip()))
                || (model.isPresent() && !model.get().strip().equals(provider.defaultModel()));
    }

    private boolean has(Provider provider, String key) {
        try {
            return key.equals(key(provider));
        } catch (RefusedException unreadable) {
            return false;
        }
    }

    void delete(UserId owner, ProviderId id) {
        if (!archive.delete(owner, id)) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no provider " + id + ".");
        }
        profiles.deleteOfProvider(owner, id);
    }

    /** What is known of the provider's models, by their names. */
    List<ExaminedModel> examined(UserId owner, ProviderId id) {
        get(owner, id);
        return profiles.ofProvider(owner, id);
    }

    /** What this model costs; null when the person did not say. */
    public @Nullable ModelPrice price(UserId owner, ProviderId id, String model) {
        return archive.find(owner, id).stream()
                .flatMap(provider -> provider.prices().stream())
                .filter(price -> price.model().equals(model))
                .findFirst()
                .orElse(null);
    }

    private static List<ModelPrice> prices(@Nullable List<ModelPrice> wanted, List<ModelPrice> otherwise) {
        if (wanted == null) {
            return otherwise;
        }
        if (wanted.size() > MOST_PRICES
                || wanted.stream().map(ModelPrice::model).distinct().count() < wanted.size()) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A provider has one price a model, for " + MOST_PRICES + " models at most.",
                    "prices");
        }
        return wanted;
    }

    /** What is known of this model; null when it was never examined. */
    public @Nullable ModelProfile profile(UserId owner, ProviderId id, String model) {
        return profiles.find(owner, id, model).map(ExaminedModel::profile).orElse(null);
    }

    /** Keeps what an exam found; false when the provider is gone or has another address now. */
    public boolean examined(ExaminedModel examined, String baseUrl) {
        boolean there = archive.find(examined.ownerId(), examined.providerId())
                .filter(provider -> provider.baseUrl().equals(baseUrl))
                .isPresent();
        if (there) {
            profiles.put(examined);
        }
        return there;
    }

    private static void named(Runnable write) {
        try {
            write.run();
        } catch (StoreException e) {
            if (e.code() == FailureCode.CONFLICT) {
                throw new RefusedException(FailureCode.CONFLICT, "You have a provider of this name already.", "name");
            }
            throw e;
        }
    }

    private @Nullable String sealed(ProviderId id, @Nullable String key) {
        if (key == null || key.isBlank()) {
            return null;
        }
        String stripped = key.strip();
        if (stripped.length() > MAX_KEY || !stripped.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "A key has to be visible ASCII characters without blanks, at most " + MAX_KEY + ".",
                    "apiKey");
        }
        return secrets.seal(stripped, id.value());
    }

    private static @Nullable String model(@Nullable String model) {
        return model == null || model.isBlank() ? null : Checks.line("defaultModel", model, MAX_MODEL);
    }

    /** The key of a provider in the open, or null when it has none; refused when it cannot be read any more. */
    @Nullable
    String key(Provider provider) {
        String sealed = provider.sealedKey();
        try {
            return sealed == null ? null : secrets.open(sealed, provider.id().value());
        } catch (IllegalStateException sealedOtherwise) {
            LOG.warnf("provider %s: %s", provider.id(), sealedOtherwise.getMessage());
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The key of this provider was sealed under another gadget.secret-key. Give it again in Settings.",
                    "providerId");
        }
    }
}
