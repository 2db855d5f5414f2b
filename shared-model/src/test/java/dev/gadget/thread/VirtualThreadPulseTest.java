package dev.gadget.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pulse of virtual threads")
class VirtualThreadPulseTest {
    @Test
    @DisplayName("tells for how long none ran, when they run again")
    void tells() throws InterruptedException {
        BlockingQueue<Duration> told = new LinkedBlockingQueue<>();
        try (var _ = VirtualThreadPulse.start(told::add)) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
            // None of them gives its carrier back before it ends.
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                Thread.startVirtualThread(() -> {
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                });
            }
            assertThat(told.poll(60, TimeUnit.SECONDS)).isNotNull().isGreaterThan(Duration.ofSeconds(2));
        }
    }
}
