package dev.gadget.code.store.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.util.Arrays;
import java.util.List;
import org.bson.conversions.Bson;

/** A bean that names the indexes of one collection; all such beans are found and applied when the service starts. */
public interface StoreIndexes {
    /** Makes the indexes that are missing. */
    void createIndexes();

    /** A unique index, the only kind that the embedded store uses for reading. */
    static void unique(MongoCollection<?> collection, String... fields) {
        List<Bson> keys = Arrays.stream(fields).map(Indexes::ascending).toList();
        collection.createIndex(Indexes.compoundIndex(keys), new IndexOptions().unique(true));
    }

    /** A unique index over those documents only that have the field. */
    static void uniqueWherePresent(MongoCollection<?> collection, String field) {
        collection.createIndex(
                Indexes.ascending(field), new IndexOptions().unique(true).sparse(true));
    }
}
