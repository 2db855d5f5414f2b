package dev.gadget.drone.link;

import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** What one token costs on its way into the journal: run by hand, after a warm-up of one round. */
final class JournalBench {
    private static final int TOKENS = 100_000;

    private JournalBench() {}

    public static void main(String[] arguments) throws IOException {
        for (int round = 0; round < 3; round++) {
            one();
        }
    }

    private static void one() throws IOException {
        Path file = Files.createTempDirectory("journal").resolve("bench.journal");
        try (var timer = Executors.newScheduledThreadPool(2);
                Journal journal = Journal.open(file, Samples.MAPPER)) {
            var report = new JournaledReport(journal, timer, () -> {});
            var threads = ManagementFactory.getThreadMXBean();
            long cpu = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            for (int i = 0; i < TOKENS; i++) {
                report.response("token ");
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
            long wall = System.nanoTime() - start;
            System.out.printf(
                    "merged: %d tokens in %d entries, %.2f us wall and %.2f us CPU per token%n",
                    TOKENS,
                    journal.entries().size(),
                    wall / 1000.0 / TOKENS,
                    (threads.getCurrentThreadCpuTime() - cpu) / 1000.0 / TOKENS);
        }
        Files.delete(file);
        try (Journal journal = Journal.open(file, Samples.MAPPER)) {
            long start = System.nanoTime();
            for (long seq = 1; seq <= TOKENS; seq++) {
                journal.append(Samples.word(seq));
            }
            System.out.printf(
                    "one entry per token: %.2f us wall per entry%n", (System.nanoTime() - start) / 1000.0 / TOKENS);
        }
        Files.delete(file);
    }
}
