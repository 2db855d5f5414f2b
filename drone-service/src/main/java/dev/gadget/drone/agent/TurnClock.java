package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stops the work on a turn: when the person wants it, or when its time is over. Time in which a person or a clone is waited for does not count. */
final class TurnClock implements AutoCloseable {
    private final CancelSignal person;
    private final CancelSignal work = new CancelSignal();
    private final CancelSignal.Registration registration;
    private final @Nullable Thread timer;
    private final @Nullable Integer maxSeconds;
    private long left;
    private int waits;
    private volatile boolean timeIsOver;

    TurnClock(CancelSignal person, @Nullable Integer maxSeconds, Duration second) {
        this.person = person;
        this.maxSeconds = maxSeconds;
        registration = person.onCancel(work::cancel);
        left = maxSeconds == null ? 0 : second.multipliedBy(maxSeconds).toNanos();
        timer = maxSeconds == null
                ? null
                : Thread.ofVirtual().name("turn-clock").start(this::run);
    }

    /** Waits for a person; null when none came. */
    interface Waiting<R> {
        @Nullable
        R get() throws InterruptedException;
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

    /** Waits with the clock standing still. */
    <R> @Nullable R paused(Waiting<R> waiting) throws InterruptedException {
        pause();
        try {
            return waiting.get();
        } finally {
            goOn();
        }
    }

    /** Stands still until it is told to go on as often as it was told to stand. */
    void pause() {
        pause(1);
    }

    void goOn() {
        pause(-1);
    }

    private synchronized void pause(int more) {
        waits += more;
        notifyAll();
    }

    private void run() {
        try {
            count();
        } catch (InterruptedException e) {
            return;
        }
        timeIsOver = true;
        work.cancel();
    }

    private synchronized void count() throws InterruptedException {
        while (left > 0) {
            long from = System.nanoTime();
            boolean counts = waits == 0;
            if (counts) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } else {
                wait();
            }
            left -= counts ? System.nanoTime() - from : 0;
        }
    }

    @Override
    public void close() {
        registration.close();
        if (timer != null) {
            timer.interrupt();
        }
    }
}
