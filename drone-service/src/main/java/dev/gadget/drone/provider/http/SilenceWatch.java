package dev.gadget.drone.provider.http;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Closes responses from which nothing was understood for too long; time that the reader itself takes does not count. */
final class SilenceWatch {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long SHORTEST_LOOK_MILLIS = 5;
    private static final long LONGEST_LOOK_MILLIS = 1000;
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("provider-watch").daemon(true).factory());

    SilenceWatch() {
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Watches one response.
     *
     * @param first what is allowed until the model begins, of which {@code gone} is over
     * @param next what is allowed afterwards
     */
    Watched watch(Duration first, Duration gone, Duration next) {
        return new Watched(first, gone, next);
    }

    /** One response that is watched; all but the look is called by its reader. */
    final class Watched implements AutoCloseable {
        private final long start = System.nanoTime();
        private final Duration next;
        private final ScheduledFuture<?> looking;
        private volatile Duration allowed;
        private volatile long deadline = NEVER;
        private volatile boolean broken;
        private volatile Runnable closing = () -> {};
        private long due;
        private boolean fresh;

        private Watched(Duration first, Duration gone, Duration next) {
            this.next = next;
            this.allowed = first;
            this.due = first.minus(gone).toNanos();
            long shorter = Math.min(first.toMillis(), next.toMillis());
            long every = Math.clamp(shorter / 4, SHORTEST_LOOK_MILLIS, LONGEST_LOOK_MILLIS);
            this.looking = timer.scheduleWithFixedDelay(this::look, every, every, TimeUnit.MILLISECONDS);
        }

        void closes(Runnable action) {
            closing = action;
        }

        void reading() {
            if (fresh) {
                fresh = false;
                due = System.nanoTime() - start + allowed.toNanos();
            }
            deadline = due;
        }

        void idle() {
            deadline = NEVER;
        }

        void understood() {
            fresh = true;
        }

        void begun() {
            allowed = next;
        }

        boolean broken() {
            return broken;
        }

        Duration allowed() {
            return allowed;
        }

        /** Only the end of the transfer is still to come. */
        void lastWords() {
            deadline = System.nanoTime() - start + LAST_WORDS.toNanos();
        }

        private void look() {
            if (System.nanoTime() - start > deadline) {
                broken = true;
                closing.run();
            }
        }

        @Override
        public void close() {
            looking.cancel(false);
        }
    }
}
