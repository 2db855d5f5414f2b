package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.gadget.code.account.Caller;
import dev.gadget.code.account.StoredToken;
import dev.gadget.code.store.TokenArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Keeps the hashes of tokens in MongoDB; found by the hash itself, which is the document's id. */
@ApplicationScoped
public class MongoTokenArchive implements TokenArchive, StoreIndexes {
    private static final String USER = "userId";
    private static final String TOKEN = "tokenId";

    private final MongoCollection<BsonDocument> tokens;

    MongoTokenArchive(StoreDatabase database) {
        tokens = database.collection("tokens", BsonDocument.class);
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(tokens, TOKEN);
        StoreIndexes.unique(tokens, USER, ListKey.FIELD);
    }

    @Override
    public void insert(StoredToken token) {
        StoreCalls.run("insert token", () -> tokens.insertOne(document(token)));
    }

    @Override
    public Optional<StoredToken> byHash(String hash) {
        return StoreCalls.call(
                "find token",
                () -> Optional.ofNullable(tokens.find(eq("_id", hash)).first()).map(MongoTokenArchive::token));
    }

    @Override
    public List<StoredToken> ofUser(UserId user, Caller.Kind kind) {
        return StoreCalls.call(
                "list tokens",
                () -> tokens.find(of(user, kind))
                        .sort(Sorts.descending(ListKey.FIELD))
                        .map(MongoTokenArchive::token)
                        .into(new ArrayList<>()));
    }

    @Override
    public void touch(String id, Instant usedAt) {
        StoreCalls.run(
                "touch token",
                () -> tokens.updateOne(
                        eq(TOKEN, id), Updates.set("lastUsedAt", new BsonDateTime(usedAt.toEpochMilli()))));
    }

    @Override
    public boolean delete(UserId user, String id) {
        return StoreCalls.call(
                "delete token",
                () -> tokens.deleteOne(and(eq(TOKEN, id), eq(USER, user.value())))
                                .getDeletedCount()
                        == 1);
    }

    @Override
    public List<String> deleteOfUser(UserId user, Caller.Kind kind) {
        List<String> ids = ofUser(user, kind).stream().map(StoredToken::id).toList();
        return ids.stream().filter(id -> delete(user, id)).toList();
    }

    @Override
    public long deleteExpired(Instant before) {
        Bson expired =
                and(gt("expiresAt", new BsonDateTime(0)), lt("expiresAt", new BsonDateTime(before.toEpochMilli())));
        return StoreCalls.call("sweep tokens", () -> tokens.deleteMany(expired).getDeletedCount());
    }

    private static Bson of(UserId user, Caller.Kind kind) {
        return and(eq(USER, user.value()), eq("kind", stored(kind)));
    }

    private static String stored(Caller.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static BsonDocument document(StoredToken token) {
        DroneId drone = token.droneId();
        return Fields.fresh()
                .put("_id", token.hash())
                .put(TOKEN, token.id())
                .put(USER, token.userId().value())
                .put("kind", stored(token.kind()))
                .put("droneId", drone == null ? null : drone.value())
                .put("name", token.name())
                .putDate("createdAt", token.createdAt())
                .putDate("expiresAt", token.expiresAt())
                .putDate("lastUsedAt", token.lastUsedAt())
                .put(ListKey.FIELD, ListKey.of(token.createdAt(), token.id()))
                .document();
    }

    private static StoredToken token(BsonDocument document) {
        var fields = new Fields(document);
        String drone = fields.optionalString("droneId");
        return new StoredToken(
                fields.string(TOKEN),
                fields.string("_id"),
                new UserId(fields.string(USER)),
                Caller.Kind.valueOf(fields.string("kind").toUpperCase(Locale.ROOT)),
                drone == null ? null : new DroneId(drone),
                fields.string("name"),
                fields.date("createdAt"),
                fields.optionalDate("expiresAt"),
                fields.optionalDate("lastUsedAt"));
    }
}
