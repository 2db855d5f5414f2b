package dev.gadget.drone.link;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait before the next attempt to connect: longer each time, and never the same for two drones. */
final class Backoff {
    private static final double FIRST_SECONDS = 0.5;
    /** With all of chance on top no more than 5 s, well within a lease: a turn goes on soon after its service is back. */
    private static final double LONGEST_SECONDS = 5 / 1.5;

    private final DoubleSupplier random;
    private int failures;

    /** @param random from 0 up to 1 */
    Backoff(DoubleSupplier random) {
        this.random = random;
    }

    void connected() {
        failures = 0;
    }

    /** Half to one and a half of 0.5, 1, 2 and then 3.3 s: of many drones hardly two come in the same hundredth of a second. */
    Duration next() {
        double base = Math.min(LONGEST_SECONDS, FIRST_SECONDS * Math.pow(2, Math.min(failures, 8)));
        failures++;
        return Duration.ofMillis((long) (base * (0.5 + random.getAsDouble()) * 1000));
    }
}
