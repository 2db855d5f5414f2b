package dev.gadget.code.store.embedded;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReplaceOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.Document;

/**
 * A process of its own: opens the store in a directory and writes from four threads until it is killed. It says on
 * its standard output what it begins (lower case) and what was acknowledged (upper case).
 */
final class StoreWriter {
    private static final int THREADS = 4;
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private StoreWriter() {}

    public static void main(String[] args) throws IOException {
        JournaledStore store =
                JournaledStore.open(Path.of(args[0]), Boolean.parseBoolean(args[2]), Duration.ofMillis(100));
        MongoClient client = StoreClient.connect(store.address());
        MongoCollection<Document> items = items(client);
        items.createIndex(Indexes.ascending("key"), new IndexOptions().unique(true));
        for (int thread = 0; thread < THREADS; thread++) {
            String prefix = args[1] + "-" + thread + "-";
            Thread.ofPlatform().start(() -> write(items, prefix));
        }
    }

    static MongoCollection<Document> items(MongoClient client) {
        return client.getDatabase("crash").getCollection("items");
    }

    private static void write(MongoCollection<Document> items, String prefix) {
        for (int number = 0; true; number++) {
            String id = prefix + number;
            items.insertOne(new Document("_id", id).append("key", "k" + id).append("n", 0));
            say("I " + id);
            if (number % 3 == 0) {
                items.updateOne(eq("_id", id), combine(set("n", 1), push("list", number)));
                say("U " + id);
                items.findOneAndUpdate(eq("key", "k" + id), set("n", 2), new FindOneAndUpdateOptions().upsert(false));
                say("V " + id);
            }
            if (number % 5 == 0) {
                items.replaceOne(
                        eq("_id", id + "r"),
                        new Document("key", "k" + id + "r").append("n", number),
                        new ReplaceOptions().upsert(true));
                say("I " + id + "r");
            }
            if (number % 7 == 0) {
                say("d " + id);
                items.deleteOne(eq("_id", id));
                say("D " + id);
            }
        }
    }

    private static synchronized void say(String line) {
        try {
            OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
