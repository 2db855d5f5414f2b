package dev.gadget.code.feed;

import dev.gadget.code.turn.TurnFeed;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.Cursor;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads one turn on a thread of its own: takes what is missing, and sleeps while nothing is. */
final class FeedReader implements AutoCloseable {
    private final Semaphore changed = new Semaphore(0);
    private final TurnFeed feed;
    private final TurnFeed.Watch watch;

    private @Nullable Cursor cursor;

    FeedReader(TurnFeed feed, @Nullable Cursor from) {
        this.feed = feed;
        this.cursor = from;
        this.watch = feed.onChange(this::wake);
    }

    /** What is missing, as soon as something is or nothing follows; an update without steps when {@code atMost} passes before. */
    TurnUpdate next(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        for (; ; ) {
            changed.drainPermits();
            TurnUpdate update = feed.since(cursor);
            cursor = update.cursor();
            long left = until - System.nanoTime();
            if (!update.changes().isEmpty() || over(update) || left <= 0) {
                return update;
            }
            boolean woken = changed.tryAcquire(left, TimeUnit.NANOSECONDS);
            if (!woken) {
                until = System.nanoTime();
            }
        }
    }

    /** Whether nothing follows after this update: the turn has ended, or was deleted. */
    boolean over(TurnUpdate update) {
        return update.status().ended() || feed.gone();
    }

    private void wake() {
        if (changed.availablePermits() == 0) {
            changed.release();
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
