package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.client.MongoCollection;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The form of what is stored, as a number that grows: an older store is brought up to this program's, a newer one is refused. */
@Singleton
class StoreSchema {
    /** The first leads from form 1 to form 2, and so on. A crash may have one run again, so it changes nothing that is changed already. */
    private static final List<Consumer<StoreDatabase>> STEPS = List.of();

    private static final int VERSION = STEPS.size() + 1;
    private static final String ID = "schema";
    private static final String FIELD = "version";

    private final StoreDatabase database;
    private final MongoCollection<BsonDocument> meta;

    StoreSchema(StoreDatabase database) {
        this.database = database;
        this.meta = database.collection("meta", BsonDocument.class);
    }

    void bringUp() {
        BsonDocument found = meta.find(eq("_id", ID)).first();
        int stored = found == null ? 1 : found.getInt32(FIELD).getValue();
        if (stored > VERSION) {
            throw new StoreException(
                    FailureCode.CONFLICT,
                    "the store was written by a newer Gadget (form " + stored + ", and this one knows forms up to "
                            + VERSION + "). Start the newer one, or restore a back-up from before the upgrade.");
        }
        if (found == null) {
            meta.insertOne(document(stored));
        }
        for (int version = stored; version < VERSION; version++) {
            STEPS.get(version - 1).accept(database);
            meta.replaceOne(eq("_id", ID), document(version + 1));
        }
    }

    private static BsonDocument document(int version) {
        return new BsonDocument("_id", new BsonString(ID)).append(FIELD, new BsonInt32(version));
    }
}
