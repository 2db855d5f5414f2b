package dev.gadget.code.socket;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The rounds of an event loop: it reads all sockets that something came on, and looks again. Where there is much to tell so many pages,
 * a round lasts a while: what comes meanwhile waits in the kernel, and each socket is read and each page told once for all of it. The
 * loop itself sleeps; to stop listening to each socket and to begin again are two system calls for each read. Belongs to one event loop.
 */
final class Rounds {
    private static final ThreadLocal<Rounds> HERE = ThreadLocal.withInitial(Rounds::new);

    private long begunAt = System.nanoTime();
    private boolean slow;

    private Rounds() {}

    /** Those of the event loop that this runs on. */
    static Rounds here() {
        return HERE.get();
    }

    /** The round that is now lasts so long, if it would end earlier. */
    void last(EventLoop loop, long millis) {
        if (!slow) {
            slow = true;
            // It comes after everything that can be read now.
            loop.execute(() -> sleep(millis));
        }
    }

    private void sleep(long millis) {
        slow = false;
        LockSupport.parkNanos(begunAt + TimeUnit.MILLISECONDS.toNanos(millis) - System.nanoTime());
        begunAt = System.nanoTime();
    }
}
