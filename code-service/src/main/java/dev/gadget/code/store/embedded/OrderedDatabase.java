package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.ArrayFilters;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.oplog.Oplog;
import java.util.List;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * A database of the library with our own maps, BSON for documents and ordered keys for indexes, in which what is stored never changes:
 * an update puts another document in its place.
 */
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
        return new SteadyCollection(this, name, options, documents, meta, cursorRegistry, scans);
    }

    /** What was found is sent while the next command runs, and the library would write an update into that very document. */
    private static final class SteadyCollection extends H2Collection {
        private final FullScans scans;
        private boolean updating;

        SteadyCollection(
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

        @Override
        public synchronized Document updateDocuments(
                Document selector, Document update, ArrayFilters filters, boolean multi, boolean upsert, Oplog oplog) {
            return updating(() -> super.updateDocuments(selector, update, filters, multi, upsert, oplog));
        }

        @Override
        public synchronized Document findAndModify(Document query) {
            return updating(() -> super.findAndModify(query));
        }

        private Document updating(Supplier<Document> update) {
            updating = true;
            try {
                return update.get();
            } finally {
                updating = false;
            }
        }

        /** Where an index says that it is. */
        @Override
        protected @Nullable Document getDocument(Object position) {
            Document stored = super.getDocument(position);
            return updating && stored != null ? stored.cloneDeeply() : stored;
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
            QueryResult stored = super.matchDocuments(query, orderBy, skip, limit, batchSize, fields);
            return updating
                    ? new QueryResult(stored.collectDocuments().stream()
                            .map(Document::cloneDeeply)
                            .toList())
                    : stored;
        }
    }
}
