package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class JournalTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("one.journal");
    }

    private Journal open() throws IOException {
        return Journal.open(file(), Samples.MAPPER);
    }

    @Test
    @DisplayName("entries come back in order, by number and in batches of a size, also after it was opened again")
    void comesBack() throws IOException {
        try (Journal journal = open()) {
            for (long seq = 1; seq <= 100; seq++) {
                journal.append(Samples.word(seq));
            }
        }
        try (Journal journal = open()) {
            assertThat(journal.lastSeq()).isEqualTo(100);
            assertThat(journal.entries())
                    .hasSize(100)
                    .startsWith(Samples.word(1))
                    .endsWith(Samples.word(100));
            Journal.Batch batch = journal.batch(98, 32 << 10);
            assertThat(batch.entries()).hasSize(3);
            assertThat(batch.lastSeq()).isEqualTo(100);
            assertThat(journal.batch(1, 1).entries()).as("at least one").hasSize(1);
            assertThat(journal.batch(101, 100).entries()).isEmpty();
            assertThat(journal.ends()).isFalse();
            journal.append(new WorkEntry.WorkOrderComplete(101, TurnStatus.FINISHED, null, Usage.NONE));
            assertThat(journal.ends()).isTrue();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    @DisplayName("what was just written, what was written long ago and what is long come the same as from the file")
    void remembered() throws IOException {
        List<WorkEntry> said = new ArrayList<>();
        try (Journal journal = open()) {
            journal.append(Samples.word(1));
            said.add(Samples.word(1));
        }
        try (Journal journal = open()) {
            for (long seq = 2; seq <= 300; seq++) {
                WorkEntry entry =
                        seq % 50 == 0 ? new WorkEntry.Response(seq, null, "long ".repeat(2_000)) : Samples.word(seq);
                said.add(entry);
                journal.append(entry);
                assertThat(entries(journal.batch(seq, 1))).containsExactly(entry);
            }
            for (int from = 1; from <= 300; from++) {
                assertThat(entries(journal.batch(from, 1 << 20)))
                        .as("from %d on", from)
                        .isEqualTo(said.subList(from - 1, 300));
            }
        }
    }

    private static List<WorkEntry> entries(Journal.Batch batch) throws IOException {
        List<WorkEntry> entries = new ArrayList<>();
        for (byte[] json : batch.entries()) {
            entries.add(Samples.MAPPER.readValue(json, WorkEntry.class));
        }
        return entries;
    }

    @Test
    @DisplayName("a number in the middle of merged text is found in the entry that holds it")
    void findsMerged() throws IOException {
        try (Journal journal = open()) {
            journal.append(new WorkEntry.Response(5, 5, "five pieces"));
            journal.append(Samples.word(6));
            assertThat(journal.batch(3, 32 << 10).entries()).hasSize(2);
            assertThatThrownBy(() -> journal.append(Samples.word(8))).hasMessageContaining("does not follow");
        }
    }

    @Test
    @DisplayName("wherever the end is torn, all entries before it stay, and the next one follows on them")
    void tornAnywhere() throws IOException {
        try (Journal journal = open()) {
            for (long seq = 1; seq <= 3; seq++) {
                journal.append(Samples.word(seq));
            }
        }
        byte[] whole = Files.readAllBytes(file());
        int record = whole.length / 3;
        for (int length = 2 * record; length < whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            try (Journal journal = open()) {
                assertThat(journal.lastSeq()).as("cut at %d", length).isEqualTo(2);
                journal.append(Samples.word(3));
            }
            assertThat(Files.readAllBytes(file())).isEqualTo(whole);
        }
    }

    @Test
    @DisplayName("a record whose bytes do not fit its checksum is dropped with what follows")
    void wrongBytes() throws IOException {
        try (Journal journal = open()) {
            journal.append(Samples.word(1));
            journal.append(Samples.word(2));
        }
        try (var bytes = new RandomAccessFile(file().toFile(), "rw")) {
            bytes.seek(bytes.length() - 3);
            bytes.write('x');
        }
        try (Journal journal = open()) {
            assertThat(journal.entries()).containsExactly(Samples.word(1));
        }
    }

    @Test
    @DisplayName("it does not grow beyond its limit, and still takes the end of the turn")
    void bounded() throws IOException {
        try (Journal journal = Journal.open(file(), 300, Samples.MAPPER)) {
            assertThatThrownBy(() -> {
                        for (long seq = 1; seq < 100; seq++) {
                            journal.append(Samples.word(seq));
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("300 bytes");
            journal.append(new WorkEntry.WorkOrderComplete(journal.lastSeq() + 1, TurnStatus.FAILED, null, Usage.NONE));
            assertThat(journal.ends()).isTrue();
            assertThatThrownBy(() ->
                            journal.append(new WorkEntry.Response(journal.lastSeq() + 1, null, "x".repeat(2 << 20))))
                    .hasMessageContaining("the most is");
        }
    }

    @Test
    @DisplayName("an interrupt of one who writes does not close it for the others")
    void interrupted() throws Exception {
        try (Journal journal = open()) {
            Thread.currentThread().interrupt();
            journal.append(Samples.word(1));
            journal.force();
            assertThat(Thread.interrupted()).isTrue();
            journal.append(Samples.word(2));
            assertThat(journal.lastSeq()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("kill -9 in the middle of writing loses nothing that was written, and leaves no gap")
    void killed() throws Exception {
        for (int round = 0; round < 3; round++) {
            Files.deleteIfExists(file());
            long said = killAfter(2000 * (round + 1));
            try (Journal journal = open()) {
                List<WorkEntry> entries = journal.entries();
                assertThat(journal.lastSeq()).isGreaterThanOrEqualTo(said);
                for (int i = 0; i < entries.size(); i++) {
                    assertThat(entries.get(i)).isEqualTo(Samples.word(i + 1));
                }
            }
        }
    }

    /** Kills a writer in a process of its own after it has said so many numbers; returns the last that it said. */
    private long killAfter(int lines) throws IOException, InterruptedException {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        file().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        long said = 0;
        try (var out = new BufferedReader(new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
            for (int i = 0; i < lines; i++) {
                said = Long.parseLong(out.readLine());
            }
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(writer.exitValue()).as("killed, not ended").isEqualTo(137);
        return said;
    }

    /** Writes for as long as it lives, and says each number after it is written. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            PrintStream out = System.out;
            try (Journal journal = Journal.open(Path.of(arguments[0]), Samples.MAPPER)) {
                for (long seq = 1; seq < 10_000_000; seq++) {
                    journal.append(Samples.word(seq));
                    out.println(seq);
                }
            }
        }
    }
}
