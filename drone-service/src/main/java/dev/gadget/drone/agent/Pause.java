package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits, unless the work is cancelled. */
@FunctionalInterface
interface Pause {
    /** Returns true when the time is over, or false as soon as the signal was cancelled. */
    boolean of(Duration time, CancelSignal cancel) throws InterruptedException;

    /** Waits by the clock. */
    static Pause real() {
        return (time, cancel) -> {
            CountDownLatch cancelled = new CountDownLatch(1);
            try (CancelSignal.Registration ignored = cancel.onCancel(cancelled::countDown)) {
                return !cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS);
            }
        };
    }
}
