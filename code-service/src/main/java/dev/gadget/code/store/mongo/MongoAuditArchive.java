package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import dev.gadget.code.store.AuditArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Keeps audit entries in MongoDB, found by their time, and by who did them or what was done. */
@ApplicationScoped
public class MongoAuditArchive implements AuditArchive, StoreIndexes {
    private static final String USER = "userId";
    private static final String KIND = "kind";

    private final MongoCollection<BsonDocument> entries;

    MongoAuditArchive(StoreDatabase database) {
        entries = database.collection("audit", BsonDocument.class);
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(entries, ListKey.FIELD);
        StoreIndexes.unique(entries, KIND, ListKey.FIELD);
        StoreIndexes.unique(entries, USER, ListKey.FIELD);
        StoreIndexes.unique(entries, USER, KIND, ListKey.FIELD);
    }

    @Override
    public void append(AuditEntry entry) {
        StoreCalls.run("append audit entry", () -> entries.insertOne(document(entry)));
    }

    @Override
    public Slice<AuditEntry> list(AuditFilter filter, Optional<String> after, int limit) {
        List<Bson> wanted = new ArrayList<>();
        filter.userId().ifPresent(user -> wanted.add(eq(USER, user.value())));
        filter.kind().ifPresent(kind -> wanted.add(eq(KIND, StoredEnum.toStored(kind))));
        return ListPages.newestFirst(
                "list audit entries",
                entries,
                wanted.isEmpty() ? Filters.empty() : Filters.and(wanted),
                after,
                limit,
                MongoAuditArchive::entry);
    }

    @Override
    public long deleteBefore(Instant moment) {
        Bson old = lt(ListKey.FIELD, ListKey.of(moment, ""));
        return StoreCalls.call(
                "sweep audit entries", () -> entries.deleteMany(old).getDeletedCount());
    }

    private static BsonDocument document(AuditEntry entry) {
        UserId user = entry.userId();
        return Fields.fresh()
                .put("_id", entry.id())
                .putDate("at", entry.at())
                .put(KIND, StoredEnum.toStored(entry.kind()))
                .put(USER, user == null ? null : user.value())
                .put("subject", entry.subject())
                .put("detail", entry.detail())
                .put("address", entry.address())
                .put(ListKey.FIELD, ListKey.of(entry.at(), entry.id()))
                .document();
    }

    private static AuditEntry entry(BsonDocument document) {
        var fields = new Fields(document);
        String user = fields.optionalString(USER);
        return new AuditEntry(
                fields.string("_id"),
                fields.date("at"),
                StoredEnum.fromStored(AuditKind.class, fields.string(KIND)),
                user == null ? null : new UserId(user),
                fields.optionalString("subject"),
                fields.optionalString("detail"),
                fields.optionalString("address"));
    }
}
