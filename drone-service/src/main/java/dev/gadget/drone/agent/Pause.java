package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits, unless the work is cancelled. */
@FunctionalInterface
interface Pause {
    /** Returns when the time is over or the signal was cancelled. */
    void of(Duration time, CancelSignal cancel) throws InterruptedException;

    /** Waits by the clock. */
    static Pause real() {
        return (time, cancel) -> {
            CountDownLatch cancelled = new CountDownLatch(1);
            try (CancelSignal.Registration ignored = cancel.onCancel(cancelled::countDown)) {
                boolean early = cancelled.await(time.toMillis(), TimeUnit.MILLISECONDS);
                assert !early || cancel.cancelled();
            }
        };
    }
}
