package dev.gadget.code.store.mongo;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.lt;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import dev.gadget.code.store.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/** Reads a collection a page at a time, newest first. */
final class ListPages {
    private ListPages() {}

    static <T> Slice<T> newestFirst(
            String what,
            MongoCollection<BsonDocument> collection,
            Bson filter,
            Optional<String> after,
            int limit,
            Function<BsonDocument, T> toDomain) {
        Bson rest = after.map(cursor -> and(filter, lt(ListKey.FIELD, cursor))).orElse(filter);
        List<BsonDocument> found = StoreCalls.call(
                what,
                () -> collection
                        .find(rest)
                        .sort(Sorts.descending(ListKey.FIELD))
                        .limit(limit + 1)
                        .into(new ArrayList<>()));
        List<BsonDocument> items = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next = found.size() > limit
                ? Optional.of(items.getLast().getString(ListKey.FIELD).getValue())
                : Optional.empty();
        return new Slice<>(items.stream().map(toDomain).toList(), next);
    }
}
