package dev.gadget.code.feed;

import dev.gadget.code.account.Caller;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.http.Problems;
import dev.gadget.code.turn.TurnFeed;
import dev.gadget.code.turn.TurnUpdate;
import dev.gadget.model.turn.Cursor;
import io.quarkus.security.UnauthorizedException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads one turn on a thread of its own, for as long as its caller may: takes what is missing, and sleeps while nothing is. */
final class FeedReader implements AutoCloseable {
    private final Semaphore changed = new Semaphore(0);
    private final TurnFeed feed;
    private final TurnFeed.Watch watch;
    private final TokenWatch.Watch token;

    private volatile boolean signedOut;
    private @Nullable Cursor cursor;

    FeedReader(TurnFeed feed, @Nullable Cursor from, Caller caller, TokenWatch tokens) {
        this.feed = feed;
        this.cursor = from;
        this.watch = feed.onChange(this::wake);
        this.token = tokens.watch(caller, this::signedOut);
    }

    /**
     * What is missing, as soon as something is or nothing follows; an update without steps when {@code atMost} passes before.
     * {@code UnauthorizedException} as soon as the caller's token is revoked or has expired.
     */
    TurnUpdate next(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        for (; ; ) {
            changed.drainPermits();
            if (signedOut) {
                throw new UnauthorizedException(Problems.SIGN_IN);
            }
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

    /** Waits while a drone that was offered the turn has not answered. */
    void awaitAnswer(Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        for (; ; ) {
            changed.drainPermits();
            long left = until - System.nanoTime();
            if (!feed.offered() || feed.gone() || signedOut || left <= 0) {
                return;
            }
            boolean woken = changed.tryAcquire(left, TimeUnit.NANOSECONDS);
            if (!woken) {
                return;
            }
        }
    }

    /** Whether nothing follows after this update: the turn has ended for good, or was deleted. */
    boolean over(TurnUpdate update) {
        return update.over() || feed.gone();
    }

    /** Whether the turn asks what nobody answered, which whoever reads it may be the one to do. */
    boolean asked() {
        return feed.asks();
    }

    private void signedOut() {
        signedOut = true;
        wake();
    }

    private void wake() {
        if (changed.availablePermits() == 0) {
            changed.release();
        }
    }

    @Override
    public void close() {
        token.close();
        watch.close();
    }
}
