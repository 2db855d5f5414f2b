package dev.gadget.code.store.embedded;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read while it is changed is as it was before or after the change, and never a bit of each. */
@Timeout(180)
class ConcurrentReadTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final int CHANGES = 1000;
    private static final int FIELDS = 100;

    @TempDir
    Path directory;

    private JournaledStore store;

    @BeforeEach
    void open() throws IOException {
        store = JournaledStore.open(directory, false, NEVER);
    }

    /** The ways in which documents are changed; each gives all fields the same new value. */
    enum Change {
        REPLACE {
            @Override
            void to(int value, MongoCollection<Document> items) {
                items.replaceOne(eq("_id", "a"), numbered(value));
            }
        },
        UPDATE {
            @Override
            void to(int value, MongoCollection<Document> items) {
                items.updateOne(eq("_id", "a"), changes(value));
            }
        },
        UPDATE_FOUND_BY_A_SCAN {
            @Override
            void to(int value, MongoCollection<Document> items) {
                items.updateMany(gte("field0", 0), changes(value));
            }
        },
        FIND_AND_MODIFY {
            @Override
            void to(int value, MongoCollection<Document> items) {
                var after = new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
                assertThat(items.findOneAndUpdate(eq("_id", "a"), changes(value), after))
                        .containsEntry("field0", value);
            }
        };

        abstract void to(int value, MongoCollection<Document> items);

        /** Another document has other fields, too. */
        private static Document numbered(int value) {
            var document = new Document("_id", "a").append("inner", new Document("list", List.of(value)));
            IntStream.range(0, FIELDS).forEach(i -> document.append("field" + i, value));
            return value % 2 == 0 ? document : document.append("more" + value, value);
        }

        private static Bson changes(int value) {
            List<Bson> sets = new ArrayList<>(IntStream.range(0, FIELDS)
                    .mapToObj(i -> Updates.set("field" + i, value))
                    .toList());
            sets.add(Updates.set("inner.list.0", value));
            return Updates.combine(sets);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("S0: a document that is read while it is changed is whole")
    void isWhole(Change change) throws IOException, InterruptedException, ExecutionException {
        try (var opened = store;
                MongoClient client = StoreClient.connect(opened.address());
                var threads = Executors.newFixedThreadPool(2)) {
            MongoCollection<Document> items = StoreWriter.items(client);
            items.insertOne(Change.numbered(0));
            Future<?> changes =
                    threads.submit(() -> IntStream.range(1, CHANGES).forEach(value -> change.to(value, items)));
            Future<Integer> reads = threads.submit(readUntil(changes, items));

            changes.get();
            assertThat(reads.get()).isPositive();
        }
    }

    private static Callable<Integer> readUntil(Future<?> end, MongoCollection<Document> items) {
        return () -> {
            int reads = 0;
            do {
                Document found = items.find(reads % 2 == 0 ? eq("_id", "a") : gte("field0", 0))
                        .first();
                found.remove("_id");
                found.put(
                        "inner",
                        found.get("inner", Document.class)
                                .getList("list", Integer.class)
                                .getFirst());
                assertThat(new HashSet<>(found.values()))
                        .as("the different values of all fields")
                        .hasSize(1);
                reads++;
            } while (!end.isDone());
            return reads;
        };
    }
}
