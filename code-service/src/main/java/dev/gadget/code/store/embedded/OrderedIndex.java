package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.backend.AbstractUniqueIndex;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/**
 * A unique index that also serves queries for a part of its keys, for ranges, and for further fields: the library's own
 * serves only equality of exactly its keys, and reads every document for everything else.
 */
final class OrderedIndex extends AbstractUniqueIndex<Object> {
    private static final ValueComparator VALUES = ValueComparator.ascWithoutListHandling();

    private final MVMap<KeyValue, Object> entries;

    OrderedIndex(MVMap<KeyValue, Object> entries, String name, List<IndexKey> keys, boolean sparse) {
        super(name, keys, sparse);
        this.entries = entries;
    }

    @Override
    public synchronized boolean canHandle(Document query) {
        return super.canHandle(query) || KeyRange.of(query, keys()).isPresent();
    }

    @Override
    public synchronized Iterable<Object> getPositions(Document query) {
        if (super.canHandle(query)) {
            return super.getPositions(query);
        }
        return KeyRange.of(query, keys())
                .map(this::positions)
                .orElseThrow(() -> new IllegalArgumentException("the index " + getName() + " cannot serve this query"));
    }

    private Iterable<Object> positions(KeyRange range) {
        List<Object> first = new ArrayList<>(range.prefix());
        if (range.from() != null) {
            first.add(range.from());
        }
        Set<Object> found = new LinkedHashSet<>();
        Cursor<KeyValue, Object> cursor = entries.cursor(first.isEmpty() ? null : new KeyValue(first));
        while (cursor.hasNext() && reaches(range, cursor.next())) {
            found.add(cursor.getValue());
        }
        return found;
    }

    private static boolean reaches(KeyRange range, KeyValue key) {
        int at = range.prefix().size();
        for (int i = 0; i < at; i++) {
            if (!range.prefix().get(i).equals(key.get(i))) {
                return false;
            }
        }
        return range.to() == null || VALUES.compare(key.get(at), range.to()) <= 0;
    }

    @Override
    protected @Nullable Object removeDocument(KeyValue key) {
        return entries.remove(key);
    }

    @Override
    protected boolean putKeyPosition(KeyValue key, @Nullable Object position) {
        return entries.putIfAbsent(key, Missing.ofNullable(position)) == null;
    }

    @Override
    protected Iterable<Map.Entry<KeyValue, Object>> getIterable() {
        return entries.entrySet();
    }

    @Override
    protected @Nullable Object getPosition(KeyValue key) {
        return entries.get(key);
    }

    @Override
    public long getCount() {
        return entries.sizeAsLong();
    }

    @Override
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    @Override
    public long getDataSize() {
        return getCount();
    }
}
