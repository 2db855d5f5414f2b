package dev.gadget.code.socket;

import io.vertx.core.Vertx;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Does many things a few milliseconds later, with one timer for all those of an event loop: a timer for each would cost more than most
 * of what is done. Belongs to one event loop.
 */
final class Ticker {
    private static final ThreadLocal<Ticker> HERE = ThreadLocal.withInitial(Ticker::new);
    private static final long STEP_MILLIS = 4;
    private static final long HALF_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS) / 2;

    // The rest after a frame is short, the one after news is long: the one must not wait behind the other.
    private final Queue<Due> all = new PriorityQueue<>((one, other) -> Long.signum(one.at - other.at));
    private boolean ticking;

    private record Due(long at, Runnable action) {}

    private Ticker() {}

    /** The one of the event loop that this runs on. */
    static Ticker here() {
        return HERE.get();
    }

    /** Does it after so many milliseconds, give or take two. */
    void after(Vertx vertx, long millis, Runnable action) {
        all.add(new Due(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) - HALF_STEP_NANOS, action));
        if (!ticking) {
            ticking = true;
            tickLater(vertx);
        }
    }

    private void tickLater(Vertx vertx) {
        vertx.setTimer(STEP_MILLIS, _ -> tick(vertx));
    }

    private void tick(Vertx vertx) {
        long now = System.nanoTime();
        try {
            for (Due due = all.peek(); due != null && due.at - now <= 0; due = all.peek()) {
                all.remove();
                due.action.run();
            }
        } finally {
            ticking = !all.isEmpty();
            if (ticking) {
                tickLater(vertx);
            }
        }
    }
}
