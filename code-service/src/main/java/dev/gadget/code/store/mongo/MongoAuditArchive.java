package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.gadget.code.audit.AuditEntry;
import dev.gadget.code.audit.AuditFilter;
import dev.gadget.code.store.AuditArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.UserId;
import dev.gadget.model.api.AuditApi.AuditKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Keeps audit entries in MongoDB, found by their time, and by who did them or what was done. */
@ApplicationScoped
public class MongoAuditArchive implements AuditArchive, StoreIndexes {
    private static final String USER = "userId";
    private static final String KIND = "kind";
    private static final String NAME = "name";

    /** Where what entries are about is kept, and what it is called there. */
    private static final Map<String, String> NAMED =
            Map.of("sessions", NAME, "drones", NAME, "providers", NAME, "accounts", "email");

    private final MongoCollection<BsonDocument> entries;
    private final StoreDatabase database;

    MongoAuditArchive(StoreDatabase database) {
        this.database = database;
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
    public Map<String, String> names(Set<String> ids) {
        Map<String, String> names = new HashMap<>();
        NAMED.forEach((collection, field) -> StoreCalls.run(
                "name ids of " + collection,
                () -> database.collection(collection, BsonDocument.class)
                        .find(in("_id", ids))
                        .projection(Projections.include(field))
                        .forEach(found -> names.put(
                                found.getString("_id").getValue(),
                                found.getString(field, new BsonString("")).getValue()))));
        names.values().removeIf(String::isBlank);
        return names;
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
