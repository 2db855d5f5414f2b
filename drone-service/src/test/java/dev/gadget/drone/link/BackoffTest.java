package dev.gadget.drone.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    @Test
    @DisplayName("F4: it grows, is never longer than 5 s however often it failed, and begins anew after a connection")
    void grows() {
        var unlucky = new Backoff(() -> 1.0);
        assertThat(IntStream.range(0, 6).mapToObj(_ -> unlucky.next().toMillis()))
                .containsExactly(750L, 1500L, 3000L, 5000L, 5000L, 5000L);
        assertThat(IntStream.range(0, 10_000).mapToObj(_ -> unlucky.next()))
                .allMatch(pause -> pause.compareTo(LONGEST) <= 0);
        unlucky.connected();
        assertThat(unlucky.next()).isEqualTo(Duration.ofMillis(750));
    }

    @Test
    @DisplayName("F34: 500 drones that lost their service at one moment do not come back at one moment")
    void spreads() {
        var random = new Random(34);
        int[] arrivals = new int[50];
        IntSummaryStatistics all = new IntSummaryStatistics();
        for (int drone = 0; drone < 500; drone++) {
            var backoff = new Backoff(random::nextDouble);
            for (int tries = 0; tries < 5; tries++) {
                backoff.next();
            }
            int millis = (int) backoff.next().toMillis();
            arrivals[millis / 100]++;
            all.accept(millis);
        }
        assertThat(all.getMax() - all.getMin()).isGreaterThan(3000);
        assertThat(IntStream.of(arrivals).max().orElseThrow())
                .as("in one tenth of a second")
                .isLessThanOrEqualTo(40);
    }
}
