package dev.gadget.drone.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A call while the model writes it. */
class CallProgressTest {
    private final RecordingReport report = new RecordingReport();
    private long now;
    private final CallProgress progress = new CallProgress(report, () -> now);

    private void write(int chars, long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        progress.grew("write_file", chars);
    }

    @Test
    @DisplayName("S4-02: is told twice a second at most, and not at all when it comes at once")
    void seldom() {
        progress.asked();
        for (int i = 1; i <= 120; i++) {
            write(i * 10, 10);
        }
        assertThat(report.lines()).containsExactly("grows write_file 510", "grows write_file 1010");
        progress.asked();
        write(10, 5_000);
        write(20, 10);
        assertThat(report.lines()).hasSize(2);
    }
}
