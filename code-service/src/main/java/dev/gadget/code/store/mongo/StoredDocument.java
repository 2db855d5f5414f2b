package dev.gadget.code.store.mongo;

import java.time.Instant;
import org.bson.codecs.pojo.annotations.BsonId;

/** What every stored form has; one aggregate is one document, replaced under its version. */
public abstract class StoredDocument {
    @BsonId
    public String id = "";

    public Instant createdAt = Instant.EPOCH;

    /** Sorts as {@code createdAt} and then the id do, so that a list is one range of one unique index. */
    public String listKey = "";

    public long version;

    void identify(String newId, Instant created, long newVersion) {
        id = newId;
        createdAt = created;
        listKey = ListKey.of(created, newId);
        version = newVersion;
    }
}
