package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/** A database of the library with our own maps: BSON for documents, ordered keys for indexes. */
final class OrderedDatabase extends H2Database {
    private final MVStore store;
    private final FullScans scans;

    /** The fields come first: the library's constructor opens the collections. */
    OrderedDatabase(String name, MVStore store, CursorRegistry cursors, FullScans scans) {
        this.store = store;
        this.scans = scans;
        super(name, store, cursors);
    }

    @Override
    protected Index<Object> openOrCreateUniqueIndex(
            String collection, String index, List<IndexKey> keys, boolean sparse) {
        var entries = store.openMap(
                getFullCollectionNamespace(collection) + "._index_" + index,
                new MVMap.Builder<KeyValue, Object>().keyType(new KeyType()));
        return new OrderedIndex(entries, index, keys, sparse);
    }

    @Override
    protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
        String fullName = getFullCollectionNamespace(name);
        MVMap<Object, Document> documents = store.openMap(
                "databases." + fullName, new MVMap.Builder<Object, Document>().valueType(new DocumentType()));
        MVMap<String, Object> meta = store.openMap("meta." + fullName);
        return new CountingCollection(this, name, options, documents, meta, cursorRegistry, scans);
    }

    private static final class CountingCollection extends H2Collection {
        private final FullScans scans;

        CountingCollection(
                MongoDatabase database,
                String name,
                CollectionOptions options,
                MVMap<Object, Document> documents,
                MVMap<String, Object> meta,
                CursorRegistry cursors,
                FullScans scans) {
            super(database, name, options, documents, meta, cursors);
            this.scans = scans;
        }

        /** Called when no index serves the query. */
        @Override
        protected QueryResult matchDocuments(
                Document query,
                @Nullable Document orderBy,
                int skip,
                int limit,
                int batchSize,
                @Nullable Document fields) {
            scans.count(getCollectionName());
            return super.matchDocuments(query, orderBy, skip, limit, batchSize, fields);
        }
    }
}
