package dev.gadget.drone.link;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on one connection, a frame after the other. Who has something to say may send it on its own thread; all that has to be
 * waited for is done by a thread of this.
 */
final class Outbound implements News {
    private static final Logger LOG = Logger.getLogger(Outbound.class);
    /** Whoever sends sends what others have to say, too, and has something else to do. */
    private static final int MOST_FOR_OTHERS = 4;

    private final Channel channel;
    private final Frames frames;
    private final Thread waits = Thread.ofVirtual().name("link-sender").unstarted(this::run);
    private final ReentrantLock sending = new ReentrantLock();
    private volatile boolean due = true;
    /** The last frame, which may not be out yet; known to who has the lock. */
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** What there is to send. */
    @FunctionalInterface
    interface Frames {
        /** The next frame; null when there is none for now. */
        @Nullable
        String next() throws IOException;
    }

    Outbound(Channel channel, Frames frames) {
        this.channel = channel;
        this.frames = frames;
    }

    void start() {
        waits.start();
    }

    /** Returns when nobody sends any more; for a connection that is over. */
    void join() throws InterruptedException {
        LockSupport.unpark(waits);
        waits.join();
        sending.lock();
        sending.unlock();
    }

    @Override
    public void wake() {
        due = true;
        LockSupport.unpark(waits);
    }

    @Override
    public void send() {
        due = true;
        if (!sending.tryLock()) {
            LockSupport.unpark(waits);
            return;
        }
        try {
            sendWithoutWaiting();
        } catch (IOException | RuntimeException e) {
            cannotSay(e);
        } finally {
            sending.unlock();
        }
    }

    private void sendWithoutWaiting() throws IOException {
        due = false;
        for (int sent = 0; sent < MOST_FOR_OTHERS && last.isDone() && !channel.over(); sent++) {
            String frame = frames.next();
            if (frame == null) {
                return;
            }
            last = channel.begin(frame);
        }
        wake();
    }

    /** No interrupt ends it: one in the middle of a read would be a failure. */
    private void run() {
        try {
            while (!channel.over()) {
                if (due) {
                    sendAll();
                } else {
                    LockSupport.park(this);
                }
            }
        } catch (IOException | RuntimeException e) {
            cannotSay(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() throws IOException, InterruptedException {
        sending.lock();
        try {
            due = false;
            channel.await(last);
            for (String frame = frames.next(); frame != null; frame = frames.next()) {
                last = channel.begin(frame);
                channel.await(last);
            }
        } finally {
            sending.unlock();
        }
    }

    /** What could not be said goes out with the next connection: the service says from where on. */
    private void cannotSay(Exception why) {
        if (channel.over()) {
            LOG.debug("the connection was lost while something was sent");
        } else {
            LOG.errorf(why, "what there is to send cannot be read");
            channel.abort("what there is to send cannot be read");
        }
    }
}
