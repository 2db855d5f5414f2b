package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gadget.model.turn.ToolCallState;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class JournaledReportTest {
    @TempDir
    Path folder;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final Semaphore news = new Semaphore(0);

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    private Journal journal(long limit) throws IOException {
        return Journal.open(folder.resolve("one.journal"), limit, Samples.MAPPER);
    }

    @Test
    @DisplayName("many small pieces become few entries, no number is left out, and no character")
    void merges() throws IOException {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var report = new JournaledReport(journal, timer, news::release);
            var expected = new StringBuilder();
            report.roundStarted(1);
            for (int i = 0; i < 20_000; i++) {
                String piece = "t" + i + " ";
                expected.append(piece);
                if (i % 1000 < 100) {
                    report.thinking(piece);
                } else {
                    report.response(piece);
                }
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
            List<WorkEntry> entries = journal.entries();
            assertThat(Samples.text(entries)).isEqualTo(expected.toString());
            assertThat(entries).hasSizeLessThan(10_000);
            long last = 0;
            for (WorkEntry entry : entries) {
                assertThat(entry.firstSeq()).isEqualTo(last + 1);
                last = entry.seq();
            }
            assertThat(last).isEqualTo(20_002);
        }
    }

    @Test
    @DisplayName("S0-52: pieces of subagents that speak at once are merged with those of the same one only")
    void mergesOfTheSame() throws IOException {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var report = new JournaledReport(journal, timer, news::release);
            var first = new StringBuilder();
            var second = new StringBuilder();
            for (int i = 0; i < 5_000; i++) {
                String piece = "t" + i + " ";
                if (i % 10 < 5) {
                    report.thinking("d1", piece);
                    first.append(piece);
                } else {
                    report.thinking("d2", piece);
                    second.append(piece);
                }
            }
            report.complete(TurnStatus.FINISHED, null, Usage.NONE);
            List<WorkEntry> entries = journal.entries();
            assertThat(textOf("d1", entries)).isEqualTo(first.toString());
            assertThat(textOf("d2", entries)).isEqualTo(second.toString());
            assertThat(entries).hasSizeLessThan(5_000);
            assertThat(entries.getLast().seq()).isEqualTo(5_001);
        }
    }

    private static String textOf(String parent, List<WorkEntry> entries) {
        return Samples.text(entries.stream()
                .filter(entry -> entry instanceof WorkEntry.Thinking text && parent.equals(text.parent()))
                .toList());
    }

    @Test
    @DisplayName("a piece that nothing follows is journaled within a moment, without another word")
    void timed() throws Exception {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var report = new JournaledReport(journal, timer, news::release);
            report.response("one ");
            report.response("two ");
            report.response("three");
            while (journal.lastSeq() < 3) {
                assertThat(news.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(Samples.text(journal.entries())).isEqualTo("one two three");
        }
    }

    @Test
    @DisplayName("what is longer than a frame is cut into parts, never through a character")
    void cutsLong() throws IOException {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var report = new JournaledReport(journal, timer, news::release);
            String text = "x" + "😀".repeat(20_000);
            report.response(text);
            report.toolCalled("c1", "run_command", Map.of("command", "ls"));
            report.toolOutput("c1", text);
            report.toolEnded("c1", ToolCallState.DONE, "ok");
            List<WorkEntry> entries = journal.entries();
            assertThat(Samples.text(entries)).isEqualTo(text);
            var output = new StringBuilder();
            for (WorkEntry entry : entries) {
                if (entry instanceof WorkEntry.ToolOutput part) {
                    output.append(part.text());
                }
            }
            assertThat(output.toString()).isEqualTo(text);
        }
    }

    @Test
    @DisplayName("after the journal failed nothing more is taken, not even an end, until it is given up")
    void failsForGood() throws IOException {
        try (Journal journal = journal(500)) {
            var report = new JournaledReport(journal, timer, news::release);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            report.toolStarted("c" + i, null);
                        }
                    })
                    .isInstanceOf(JournaledReport.JournalFailedException.class)
                    .hasMessageContaining("500 bytes");
            long last = journal.lastSeq();
            assertThatThrownBy(() -> report.complete(TurnStatus.FAILED, null, Usage.NONE))
                    .isInstanceOf(JournaledReport.JournalFailedException.class);
            report.abandon();
            assertThatThrownBy(() -> report.response("more")).isInstanceOf(IllegalStateException.class);
            assertThat(journal.lastSeq()).isEqualTo(last);
        }
    }

    @Test
    @DisplayName("numbers go on where the journal of the attempt before ended")
    void goesOn() throws IOException {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var first = new JournaledReport(journal, timer, news::release);
            first.roundStarted(1);
            first.response("cut");
            first.detach();
            assertThatThrownBy(() -> first.response("late")).isInstanceOf(IllegalStateException.class);
        }
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var second = new JournaledReport(journal, timer, news::release);
            second.roundSuperseded(1);
            assertThat(journal.entries().getLast()).isEqualTo(new WorkEntry.RoundSuperseded(3, 1));
        }
    }

    @Test
    @DisplayName("S0-52: while one call waits for the disk others speak, and it does not run before it is there")
    void speaksWhileTheDiskIsWaitedFor() throws Exception {
        try (Journal journal = journal(Journal.MAX_BYTES)) {
            var report = new JournaledReport(journal, timer, news::release);
            report.toolCalled("d1", "s1", "look", Map.of());
            Thread call = Thread.ofPlatform().unstarted(() -> report.toolStarted("s1", null));
            Thread other = Thread.ofPlatform().unstarted(() -> {
                report.response("d2", "meanwhile");
                report.toolCalled("d2", "s2", "look", Map.of());
            });
            boolean spoke;
            boolean waits;
            synchronized (journal.forcing) {
                call.start();
                while (journal.lastSeq() < 2) {
                    Thread.onSpinWait();
                }

                other.start();
                other.join(TimeUnit.SECONDS.toMillis(60));

                spoke = !other.isAlive();
                waits = call.isAlive();
            }
            call.join();
            other.join();
            assertThat(spoke).isTrue();
            assertThat(waits).isTrue();
            assertThat(journal.entries()).extracting(WorkEntry::seq).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    @Test
    @DisplayName("what could not be brought to the disk because the drone stops is no failure of the journal")
    void leftWhileTheDiskIsWaitedFor() throws Exception {
        Journal journal = journal(Journal.MAX_BYTES);
        var report = new JournaledReport(journal, timer, news::release);
        var thrown = new AtomicReference<Throwable>();
        Thread call = Thread.ofPlatform().unstarted(() -> report.toolStarted("s1", null));
        call.setUncaughtExceptionHandler((_, failure) -> thrown.set(failure));
        synchronized (journal.forcing) {
            call.start();
            while (call.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            report.detach();
            journal.close();
        }
        call.join();

        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("left for later");
    }
}
