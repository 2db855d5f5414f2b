package dev.gadget.code.store.embedded;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills processes that write, and looks at what they leave. */
class StoreCrashTest {
    private static final int RUNS = 5;
    private static final Duration CHECKPOINT = Duration.ofMillis(100);

    @TempDir
    Path directory;

    /** What was acknowledged: id to the value that its document has at least. */
    private final Map<String, Integer> kept = new HashMap<>();

    private final Set<String> deleted = new HashSet<>();
    private final Set<String> unknown = new HashSet<>();

    @ParameterizedTest(name = "fsync {0}")
    @ValueSource(booleans = {false, true})
    @Timeout(180)
    @DisplayName("Nothing that was acknowledged is lost when the process is killed while it writes")
    void losesNothingThatWasAcknowledged(boolean fsync) throws Exception {
        var random = new Random(20_261_121);
        for (int run = 0; run < RUNS; run++) {
            for (String line : writeUntilKilled(run, 200 + random.nextInt(fsync ? 600 : 1_500), fsync)) {
                note(line);
            }
            assertAllThere();
        }
        assertThat(kept).hasSizeGreaterThan(RUNS * 50);
    }

    @Test
    @Timeout(180)
    @DisplayName("A second process on one directory is refused with one sentence")
    void refusesASecondProcess() throws Exception {
        try (var store = JournaledStore.open(directory, false, CHECKPOINT)) {
            assertThat(store.trouble()).isEmpty();
            Process second = process(0, false, ProcessBuilder.Redirect.PIPE);
            String said;
            try (BufferedReader error = second.errorReader()) {
                said = String.join("\n", error.lines().toList());
            }
            assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(second.exitValue()).isNotZero();
            assertThat(said)
                    .contains("is in use by another process (pid "
                            + ProcessHandle.current().pid() + "): stop that one, or set gadget.data-dir");
        }
    }

    private List<String> writeUntilKilled(int run, int linesBefore, boolean fsync)
            throws IOException, InterruptedException {
        Process process = process(run, fsync, ProcessBuilder.Redirect.DISCARD);
        List<String> lines = new ArrayList<>();
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            while (line != null) {
                lines.add(line);
                if (lines.size() == linesBefore) {
                    process.toHandle().destroyForcibly();
                }
                line = output.readLine();
            }
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(lines).hasSizeGreaterThanOrEqualTo(linesBefore);
        return lines;
    }

    private Process process(int run, boolean fsync, ProcessBuilder.Redirect errors) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreWriter.class.getName(),
                        directory.toString(),
                        Integer.toString(run),
                        Boolean.toString(fsync))
                .redirectError(errors)
                .start();
    }

    /** Lines are whole: the system takes one as short into a pipe at once or not at all. */
    private void note(String line) {
        String id = line.substring(2);
        switch (line.charAt(0)) {
            case 'I' -> kept.put(id, 0);
            case 'U' -> kept.put(id, 1);
            case 'V' -> kept.put(id, 2);
            case 'd' -> {
                kept.remove(id);
                unknown.add(id);
            }
            case 'D' -> {
                unknown.remove(id);
                deleted.add(id);
            }
            default -> throw new AssertionError("what is " + line);
        }
    }

    private void assertAllThere() throws IOException {
        try (var store = JournaledStore.open(directory, false, CHECKPOINT);
                MongoClient client = StoreClient.connect(store.address())) {
            MongoCollection<Document> items = StoreWriter.items(client);
            Map<String, Document> found = new HashMap<>();
            Set<String> keys = new HashSet<>();
            for (Document one : items.find()) {
                assertThat(found.put(one.getString("_id"), one)).isNull();
                assertThat(keys.add(one.getString("key"))).isTrue();
            }
            assertThat(found.keySet()).containsAll(kept.keySet()).doesNotContainAnyElementsOf(deleted);
            kept.forEach((id, least) -> {
                if (!id.endsWith("r")) {
                    assertThat(found)
                            .hasEntrySatisfying(
                                    id, one -> assertThat(one.getInteger("n")).isGreaterThanOrEqualTo(least));
                }
            });
            assertIndexesWhole(items, found);
        }
    }

    private static void assertIndexesWhole(MongoCollection<Document> items, Map<String, Document> found) {
        found.forEach((id, document) -> {
            assertThat(items.find(eq("_id", id)).first()).isEqualTo(document);
            assertThat(items.find(eq("key", document.getString("key"))).first()).isEqualTo(document);
        });
    }
}
