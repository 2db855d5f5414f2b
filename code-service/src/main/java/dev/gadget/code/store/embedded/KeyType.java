package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** Keys of indexes in the order of their values, so that a range of keys lies together; a shorter key before its longer ones. */
final class KeyType extends BasicDataType<KeyValue> {
    private static final String SIZE = "size";
    private static final ValueComparator VALUES = ValueComparator.ascWithoutListHandling();

    @Override
    public int compare(KeyValue one, KeyValue other) {
        int shared = Math.min(one.size(), other.size());
        for (int at = 0; at < shared; at++) {
            int order = VALUES.compare(one.get(at), other.get(at));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    @Override
    public int getMemory(KeyValue key) {
        return DocumentType.sizeOf(key);
    }

    @Override
    public void write(WriteBuffer target, KeyValue key) {
        Document stored = new Document(SIZE, key.size());
        for (int at = 0; at < key.size(); at++) {
            Object value = key.get(at);
            if (!(value instanceof Missing)) {
                stored.put(Integer.toString(at), value);
            }
        }
        DocumentType.encode(target, stored);
    }

    @Override
    public KeyValue read(ByteBuffer source) {
        Document stored = DocumentType.decode(source);
        int size = ((Number) stored.getOrMissing(SIZE)).intValue();
        List<Object> values = new ArrayList<>(size);
        for (int at = 0; at < size; at++) {
            values.add(stored.getOrMissing(Integer.toString(at)));
        }
        return new KeyValue(values);
    }

    @Override
    public KeyValue[] createStorage(int size) {
        return new KeyValue[size];
    }
}
