package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import dev.gadget.code.RefusedException;
import dev.gadget.code.store.Slice;
import dev.gadget.model.FailureCode;
import dev.gadget.model.UserId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.conversions.Bson;

/** What the archives of everything that belongs to a person have in common: find, list, replace and delete within an owner. */
final class OwnedCollection<D extends OwnedDocument> {
    private static final String ID = "_id";
    private static final String OWNER = "ownerId";

    private final String noun;
    private final MongoCollection<D> collection;

    OwnedCollection(String noun, MongoCollection<D> collection) {
        this.noun = noun;
        this.collection = collection;
    }

    void insert(D document) {
        StoreCalls.run("insert " + noun, () -> collection.insertOne(document));
    }

    Optional<D> find(UserId owner, String id) {
        return StoreCalls.call(
                "find " + noun,
                () -> Optional.ofNullable(collection.find(owned(owner, id)).first()));
    }

    /** Newest first; refused as {@code invalid_field} when {@code after} is no cursor. */
    <T> Slice<T> list(UserId owner, Optional<String> after, int limit, Function<D, T> toDomain) {
        Bson filter = after.map(cursor -> and(eq(OWNER, owner.value()), lt(ListKey.FIELD, decoded(cursor))))
                .orElseGet(() -> eq(OWNER, owner.value()));
        List<D> found = StoreCalls.call(
                "list " + noun + "s",
                () -> collection
                        .find(filter)
                        .sort(Sorts.descending(ListKey.FIELD))
                        .limit(limit + 1)
                        .into(new ArrayList<>()));
        List<D> items = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next = found.size() > limit ? Optional.of(encoded(items.getLast().listKey)) : Optional.empty();
        return new Slice<>(items.stream().map(toDomain).toList(), next);
    }

    /** Replaces it when the stored version is the one that {@code document} was read with, and raises the version. */
    void replace(D document) {
        Versions.replace(noun, collection, document, eq(OWNER, document.ownerId));
    }

    boolean delete(UserId owner, String id) {
        return StoreCalls.call(
                "delete " + noun, () -> collection.deleteOne(owned(owner, id)).getDeletedCount() == 1);
    }

    MongoCollection<D> raw() {
        return collection;
    }

    private static Bson owned(UserId owner, String id) {
        return and(eq(ID, id), eq(OWNER, owner.value()));
    }

    private static String encoded(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD,
                    "The cursor is not one that this list gave out. Start without one.",
                    "cursor");
        }
    }
}
