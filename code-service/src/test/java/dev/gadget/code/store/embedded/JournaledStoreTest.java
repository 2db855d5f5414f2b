package dev.gadget.code.store.embedded;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.currentDate;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.UpdateOptions;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store on its own: what it keeps, refuses and says. */
@Timeout(180)
class JournaledStoreTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    Path directory;

    @Test
    void keepsEverythingWhenItIsClosed() throws IOException {
        use(NEVER, items -> items.insertOne(new Document("_id", "a").append("n", 1)));

        use(NEVER, items -> assertThat(items.find(eq("_id", "a")).first()).containsEntry("n", 1));

        assertThat(CommandJournal.files(directory)).isEmpty();
    }

    @Test
    @DisplayName("The journal is deleted up to each checkpoint, so that it stays small")
    void keepsItsJournalSmall() throws IOException {
        try (var store = JournaledStore.open(directory, false, SOON);
                MongoClient client = StoreClient.connect(store.address())) {
            for (int number = 0; number < 60; number++) {
                StoreWriter.items(client).insertOne(new Document("_id", number).append("text", "x".repeat(100_000)));
            }
            waitUntil(() -> journalBytes() < 2 << 20);
            assertThat(StoreWriter.items(client).countDocuments()).isEqualTo(60);
        }
    }

    @Test
    @DisplayName("S0: the store's directory and files are for their owner only")
    void isForItsOwnerOnly() throws IOException {
        try (var store = JournaledStore.open(directory, false, NEVER);
                Stream<Path> files = Files.list(directory)) {
            assertThat(store.trouble()).isEmpty();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                    .isEqualTo("rwx------");
            assertThat(files)
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void refusesADirectoryThatIsInUse() throws IOException {
        try (var store = JournaledStore.open(directory, false, NEVER)) {
            assertThat(store.address().getAddress().isLoopbackAddress()).isTrue();
            assertThatIOException()
                    .isThrownBy(() -> JournaledStore.open(directory, false, NEVER))
                    .withMessageContaining("is in use by another process");
        }
    }

    @Test
    @DisplayName("A journal that cannot be written stops the acknowledgements, visibly, until it can")
    void saysThatItCannotWriteItsJournal() throws IOException {
        var full = new AtomicBoolean();
        try (var store = JournaledStore.open(directory, failing(full), false, SOON);
                MongoClient client = StoreClient.connect(store.address())) {
            MongoCollection<Document> items = StoreWriter.items(client);
            items.insertOne(new Document("_id", "before"));

            full.set(true);
            assertRefused("cannot write its journal", () -> items.insertOne(new Document("_id", "first")));
            assertThat(store.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("No space left"));
            assertRefused("nothing is acknowledged", () -> items.insertOne(new Document("_id", "second")));
            assertThat(items.find(eq("_id", "before")).first()).isNotNull();

            full.set(false);
            waitUntil(() -> store.trouble().isEmpty());
            items.insertOne(new Document("_id", "after"));
            assertThat(items.find(eq("_id", "second")).first()).isNull();
        }
        use(
                NEVER,
                items -> assertThat(items.find().map(one -> one.getString("_id")))
                        .contains("before", "after")
                        .doesNotContain("second"));
    }

    @Test
    @DisplayName("A record that was cut off is dropped, what stands before it is repeated")
    void dropsATornRecord() throws IOException {
        List<Path> copies = new ArrayList<>();
        use(NEVER, items -> {
            items.insertOne(new Document("_id", "whole"));
            items.insertOne(new Document("_id", "torn"));
            copies.add(copyOfDirectory());
        });
        Path copy = copies.getFirst();
        Path journal = CommandJournal.files(copy).getFirst();
        try (var file = Files.newByteChannel(journal, StandardOpenOption.WRITE)) {
            file.truncate(Files.size(journal) - 3);
        }

        try (var store = JournaledStore.open(copy, false, NEVER);
                MongoClient client = StoreClient.connect(store.address())) {
            assertThat(StoreWriter.items(client).find().map(one -> one.getString("_id")))
                    .containsExactly("whole");
        }
    }

    @Test
    @DisplayName("A journal with a part missing is refused with one sentence")
    void refusesAJournalWithAGap() throws IOException {
        List<Path> copies = new ArrayList<>();
        use(NEVER, items -> {
            items.insertOne(new Document("_id", "one"));
            copies.add(copyOfDirectory());
        });
        Path journal = CommandJournal.files(copies.getFirst()).getFirst();
        var file = JournalFile.opener(false).open(journal);
        file.begin();
        file.write(List.of(new JournalFile.Entry(7, new byte[] {1})));
        file.close();

        assertThatIOException()
                .isThrownBy(() -> JournaledStore.open(copies.getFirst(), false, NEVER))
                .withMessageContaining("command 1 is missing")
                .withMessageContaining("Restore the data directory from a backup");
    }

    @Test
    @DisplayName("What could not be repeated with the same outcome is refused")
    void refusesWhatCannotBeRepeated() throws IOException {
        use(NEVER, items -> {
            items.insertOne(new Document("_id", 1).append("n", 1));
            var upsert = new UpdateOptions().upsert(true);
            assertRefused("an upsert only with an _id", () -> items.updateOne(eq("n", 2), set("n", 3), upsert));
            assertRefused("no $currentDate", () -> items.updateOne(eq("_id", 1), currentDate("at")));
            assertRefused("by a pipeline", () -> items.updateOne(eq("_id", 1), List.of(set("n", 4))));
            assertRefused(
                    "no $out",
                    () -> items.aggregate(List.of(Aggregates.out("copy"))).toCollection());
            assertRefused(
                    "no $addFields",
                    () -> items.aggregate(List.of(Aggregates.addFields(new Field<>("n", 5))))
                            .first());
            items.updateOne(eq("_id", 2), set("n", 3), upsert);
            assertThat(items.find(eq("_id", 1)).first()).containsOnlyKeys("_id", "n");
            assertThat(items.countDocuments()).isEqualTo(2);
        });
    }

    @Test
    @DisplayName("A command with more than 16 MB of documents together is repeated whole")
    void repeatsALargeCommand() throws IOException {
        List<Path> copies = new ArrayList<>();
        use(NEVER, items -> {
            List<Document> many = Stream.iterate(0, number -> number + 1)
                    .limit(20)
                    .map(number -> new Document("_id", number).append("text", "x".repeat(1 << 20)))
                    .toList();
            items.insertMany(many);
            copies.add(copyOfDirectory());
        });

        try (var store = JournaledStore.open(copies.getFirst(), false, NEVER);
                MongoClient client = StoreClient.connect(store.address())) {
            assertThat(StoreWriter.items(client).countDocuments()).isEqualTo(20);
        }
    }

    private interface Use {
        void of(MongoCollection<Document> items) throws IOException;
    }

    private void use(Duration checkpointEvery, Use use) throws IOException {
        try (var store = JournaledStore.open(directory, false, checkpointEvery);
                MongoClient client = StoreClient.connect(store.address())) {
            use.of(StoreWriter.items(client));
        }
    }

    /** As a process that is killed now would leave it; in the operating system's hands nothing is lost. */
    private Path copyOfDirectory() throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy"));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private long journalBytes() {
        try {
            long bytes = 0;
            for (Path file : CommandJournal.files(directory)) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    private static JournalFile.Opener failing(AtomicBoolean full) {
        return path -> {
            var file = new FileOutputStream(path.toFile());
            return new JournalFile(
                    file,
                    new FilterOutputStream(file) {
                        @Override
                        public void write(byte[] bytes, int offset, int length) throws IOException {
                            if (full.get()) {
                                throw new IOException("No space left on device");
                            }
                            out.write(bytes, offset, length);
                        }
                    },
                    false);
        };
    }

    private static void assertRefused(String sentence, ThrowingCallable call) {
        assertThatExceptionOfType(MongoException.class)
                .isThrownBy(call)
                .withMessageContaining(sentence)
                .satisfies(refusal ->
                        assertThat(refusal.getClass()).isIn(MongoCommandException.class, MongoWriteException.class));
    }

    private static void waitUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as(() -> String.format(Locale.ROOT, "waited long enough"))
                    .isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
