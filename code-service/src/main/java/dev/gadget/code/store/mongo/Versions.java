package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import org.bson.conversions.Bson;

/** Replaces documents under their version: the only way in which a stored aggregate changes as a whole. */
final class Versions {
    static final String FIELD = "version";

    private Versions() {}

    /** {@code document} carries the version that it was read with; stored is the next one. */
    static <D extends StoredDocument> void replace(
            String noun, MongoCollection<D> collection, D document, Bson further) {
        long expected = document.version;
        Bson filter = and(eq("_id", document.id), eq(FIELD, expected), further);
        document.version = expected + 1;
        long matched = StoreCalls.call(
                "replace " + noun, () -> collection.replaceOne(filter, document).getMatchedCount());
        if (matched != 1) {
            throw changed(noun, document.id, expected);
        }
    }

    static StoreException changed(String noun, String id, long expected) {
        return new StoreException(
                FailureCode.CHANGED_MEANWHILE,
                noun + " " + id + " is not stored with version " + expected + " any more: read it again");
    }
}
