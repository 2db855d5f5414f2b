package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stops the work on a turn when a person says so, or when its time is over, and knows which it was. */
final class TurnClock implements AutoCloseable {
    private final CancelSignal person;
    private final CancelSignal work = new CancelSignal();
    private final CancelSignal.Registration registration;
    private final @Nullable Thread timer;
    private final @Nullable Integer maxSeconds;
    private volatile boolean timeIsOver;

    TurnClock(CancelSignal person, @Nullable Integer maxSeconds, Duration second) {
        this.person = person;
        this.maxSeconds = maxSeconds;
        registration = person.onCancel(work::cancel);
        timer = maxSeconds == null
                ? null
                : Thread.ofVirtual().name("turn-clock").start(() -> waitFor(second.multipliedBy(maxSeconds)));
    }

    /** What all work on the turn goes by. */
    CancelSignal signal() {
        return work;
    }

    boolean stopped() {
        return work.cancelled();
    }

    /** How the turn ends, if it was stopped. */
    Optional<Ending> ending() {
        if (person.cancelled()) {
            return Optional.of(Ending.CANCELLED);
        }
        return timeIsOver
                ? Optional.of(Ending.limit("The turn reached its limit of " + maxSeconds + " seconds."))
                : Optional.empty();
    }

    private void waitFor(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            return;
        }
        timeIsOver = true;
        work.cancel();
    }

    @Override
    public void close() {
        registration.close();
        if (timer != null) {
            timer.interrupt();
        }
    }
}
