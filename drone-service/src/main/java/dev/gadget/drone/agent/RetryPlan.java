package dev.gadget.drone.agent;

import dev.gadget.drone.provider.RoundEvent;
import dev.gadget.model.FailureCode;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * When a provider that failed before it said anything is asked again: for some seconds, or for about five minutes where that is likely to
 * help. A limit of requests is over within a minute or two; and one that answered in this turn is likely to come back, and the work of
 * the turn to be worth the wait. One that never answered is more likely to be set up wrongly, which its person should soon know.
 */
final class RetryPlan {
    static final int MAX_TRIES = 4;
    static final int MAX_PATIENT_TRIES = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration FIRST = Duration.ofMillis(500);
    private static final Duration LONGEST_ASKED = Duration.ofSeconds(60);

    private final DoubleSupplier random;

    RetryPlan(DoubleSupplier random) {
        this.random = random;
    }

    /**
     * How long to wait before the next try, after {@code tries} failed; empty when there is none.
     *
     * @param answered whether the provider answered before in this turn
     */
    Optional<Duration> delay(RoundEvent.Failed failed, int tries, boolean answered) {
        FailureCode code = failed.failure().code();
        if (tries >= (patient(code, answered) ? MAX_PATIENT_TRIES : MAX_TRIES) || !code.retryable()) {
            return Optional.empty();
        }
        Duration backOff = Duration.ofMillis(Math.min(LONGEST.toMillis(), FIRST.toMillis() << (2 * (tries - 1))));
        Duration jitter = Duration.ofMillis((long) (backOff.toMillis() * random.getAsDouble() / 2));
        Duration asked = failed.retryAfter().orElse(Duration.ZERO);
        if (asked.compareTo(LONGEST_ASKED) > 0) {
            return Optional.empty();
        }
        return Optional.of((asked.compareTo(backOff) > 0 ? asked : backOff).plus(jitter));
    }

    private static boolean patient(FailureCode code, boolean answered) {
        return code == FailureCode.RATE_LIMITED
                || (answered && (code == FailureCode.PROVIDER_UNREACHABLE || code == FailureCode.PROVIDER_ERROR));
    }
}
