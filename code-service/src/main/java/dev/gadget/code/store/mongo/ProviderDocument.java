package dev.gadget.code.store.mongo;

import dev.gadget.code.provider.Provider;
import dev.gadget.model.ProviderId;
import dev.gadget.model.ProviderType;
import dev.gadget.model.UserId;
import io.quarkus.mongodb.panache.common.MongoEntity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A provider as it is stored. */
@MongoEntity(collection = "providers")
public class ProviderDocument extends OwnedDocument {
    public String name = "";
    public String type = "";
    public String baseUrl = "";
    public @Nullable String sealedKey;
    public @Nullable String defaultModel;
    public boolean disableStreaming;
    public List<PriceDocument> prices = List.of();

    static ProviderDocument from(Provider provider) {
        var document = new ProviderDocument();
        document.identify(provider.id().value(), provider.createdAt(), provider.version());
        document.ownerId = provider.ownerId().value();
        document.name = provider.name();
        document.type = StoredEnum.toStored(provider.type());
        document.baseUrl = provider.baseUrl();
        document.sealedKey = provider.sealedKey();
        document.defaultModel = provider.defaultModel();
        document.disableStreaming = provider.disableStreaming();
        document.prices = provider.prices().stream().map(PriceDocument::from).toList();
        return document;
    }

    Provider toProvider() {
        return new Provider(
                new ProviderId(id),
                new UserId(ownerId),
                name,
                StoredEnum.fromStored(ProviderType.class, type),
                baseUrl,
                sealedKey,
                defaultModel,
                disableStreaming,
                prices.stream().map(PriceDocument::toPrice).toList(),
                createdAt,
                version);
    }
}
