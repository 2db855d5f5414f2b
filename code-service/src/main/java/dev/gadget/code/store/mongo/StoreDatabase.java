package dev.gadget.code.store.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.store.embedded.StoreConnection;
import io.quarkus.mongodb.panache.common.MongoDatabaseResolver;
import jakarta.inject.Singleton;

/** The one database of the service, for Panache and for archives that do without it. */
@Singleton
public class StoreDatabase implements MongoDatabaseResolver {
    private final MongoClient client;
    private final String name;

    StoreDatabase(MongoClient client, CodeConfig config) {
        this.client = client;
        this.name = StoreConnection.database(config.store());
    }

    @Override
    public String resolve() {
        return name;
    }

    <D> MongoCollection<D> collection(String collection, Class<D> type) {
        return client.getDatabase(name).getCollection(collection, type);
    }
}
