package dev.gadget.code.store.mongo;

import dev.gadget.code.provider.Provider;
import dev.gadget.code.store.ProviderArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.ProviderId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Keeps providers in MongoDB. */
@ApplicationScoped
public class MongoProviderArchive implements ProviderArchive, StoreIndexes {
    private final OwnedCollection<ProviderDocument> providers;

    MongoProviderArchive(ProviderRepository repository) {
        this.providers = new OwnedCollection<>("provider", repository.mongoCollection());
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(providers.raw(), "ownerId", ListKey.FIELD);
        StoreIndexes.unique(providers.raw(), "ownerId", "name");
    }

    @Override
    public void insert(Provider provider) {
        providers.insert(ProviderDocument.from(provider));
    }

    @Override
    public Optional<Provider> find(UserId owner, ProviderId id) {
        return providers.find(owner, id.value()).map(ProviderDocument::toProvider);
    }

    @Override
    public Slice<Provider> list(UserId owner, Optional<String> after, int limit) {
        return providers.list(owner, after, limit, ProviderDocument::toProvider);
    }

    @Override
    public void replace(Provider provider) {
        providers.replace(ProviderDocument.from(provider));
    }

    @Override
    public boolean delete(UserId owner, ProviderId id) {
        return providers.delete(owner, id.value());
    }
}
