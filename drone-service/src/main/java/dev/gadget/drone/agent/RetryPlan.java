package dev.gadget.drone.agent;

import dev.gadget.drone.provider.RoundEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** When a provider that failed before it said anything is asked again. */
final class RetryPlan {
    static final int MAX_TRIES = 4;
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST_ASKED = Duration.ofSeconds(60);

    private final DoubleSupplier random;

    RetryPlan(DoubleSupplier random) {
        this.random = random;
    }

    /** How long to wait before the next try, after {@code tries} failed; empty when there is none. */
    Optional<Duration> delay(RoundEvent.Failed failed, int tries) {
        if (tries >= MAX_TRIES || !failed.failure().code().retryable()) {
            return Optional.empty();
        }
        Duration backOff = FIRST.multipliedBy(1L << (2 * (tries - 1)));
        Duration jitter = Duration.ofMillis((long) (backOff.toMillis() * random.getAsDouble() / 2));
        Duration asked = failed.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(LONGEST_ASKED) > 0) {
            return Optional.empty();
        }
        return Optional.of((asked.compareTo(backOff) > 0 ? asked : backOff).plus(jitter));
    }
}
