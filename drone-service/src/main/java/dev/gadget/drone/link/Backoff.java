package dev.gadget.drone.link;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait before the next attempt to connect: longer each time, and never the same for two drones. */
final class Backoff {
    private static final double FIRST_SECONDS = 0.5;
    private static final double LONGEST_SECONDS = 30;

    private final DoubleSupplier random;
    private int failures;

    /** @param random from 0 up to 1 */
    Backoff(DoubleSupplier random) {
        this.random = random;
    }

    void connected() {
        failures = 0;
    }

    /** Half to one and a half of 0.5, 1, 2, 4 … 30 s. */
    Duration next() {
        double base = Math.min(LONGEST_SECONDS, FIRST_SECONDS * Math.pow(2, Math.min(failures, 16)));
        failures++;
        return Duration.ofMillis((long) (base * (0.5 + random.getAsDouble()) * 1000));
    }
}
