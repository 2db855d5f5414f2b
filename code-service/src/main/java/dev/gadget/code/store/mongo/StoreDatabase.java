package dev.gadget.code.store.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import jakarta.inject.Singleton;

/** The one database of the service, for archives that do without Panache. */
@Singleton
public class StoreDatabase {
    /** Also {@code quarkus.mongodb.database}, where Panache reads it. */
    static final String NAME = "gadget";

    private final MongoClient client;

    StoreDatabase(MongoClient client) {
        this.client = client;
    }

    <D> MongoCollection<D> collection(String name, Class<D> type) {
        return client.getDatabase(NAME).getCollection(name, type);
    }
}
