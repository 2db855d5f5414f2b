package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops the work on a turn: when the person wants it, or when its time is over. Time in which a person or a clone is waited for does not
 * count; what was worked before the drone was started again does.
 */
final class TurnClock implements AutoCloseable {
    /** So much of the time is forgotten at most when the drone is killed. */
    private static final long TOLD_EVERY = TimeUnit.SECONDS.toNanos(2);

    private final CancelSignal person;
    private final CancelSignal work = new CancelSignal();
    private final CancelSignal.Registration registration;
    private final @Nullable Thread timer;
    private final @Nullable Integer maxSeconds;
    private final Consumer<Duration> worked;
    private final long all;
    private long left;
    private long since = System.nanoTime();
    private int waits;
    private volatile boolean timeIsOver;

    /** Of a turn that is not taken up again. */
    TurnClock(CancelSignal person, @Nullable Integer maxSeconds, Duration second) {
        this(person, maxSeconds, second, Duration.ZERO, _ -> {});
    }

    /**
     * Of a turn that may have been worked on before.
     *
     * @param worked is told now and then, and at the end, for how long it was worked in all
     */
    TurnClock(
            CancelSignal person,
            @Nullable Integer maxSeconds,
            Duration second,
            Duration workedBefore,
            Consumer<Duration> worked) {
        this.person = person;
        this.maxSeconds = maxSeconds;
        registration = person.onCancel(work::cancel);
        this.worked = worked;
        all = maxSeconds == null ? 0 : second.multipliedBy(maxSeconds).toNanos();
        left = all - workedBefore.toNanos();
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
        settle();
        waits += more;
        notifyAll();
    }

    private void run() {
        try {
            while (goesOn()) {
                worked.accept(soFar());
            }
        } catch (InterruptedException e) {
            return;
        }
        timeIsOver = true;
        work.cancel();
    }

    /** Waits for a while; whether there is time left after it. */
    private synchronized boolean goesOn() throws InterruptedException {
        if (waits == 0) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, TOLD_EVERY));
        } else {
            wait();
        }
        settle();
        return left > 0;
    }

    private synchronized Duration soFar() {
        settle();
        return Duration.ofNanos(all - left);
    }

    private synchronized void settle() {
        long now = System.nanoTime();
        left -= waits == 0 ? now - since : 0;
        since = now;
    }

    @Override
    public void close() {
        registration.close();
        if (timer != null) {
            timer.interrupt();
            worked.accept(soFar());
        }
    }
}
