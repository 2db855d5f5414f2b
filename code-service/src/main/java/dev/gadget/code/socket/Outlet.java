package dev.gadget.code.socket;

import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends what one socket is to be sent, a frame at a time, on the event loop of the socket: no thread waits for it, and none has to be
 * woken. The next frame is asked for when the one before got through, so that what waits stays where it is.
 */
public final class Outlet {
    private final SocketHandle socket;
    private final Supplier<@Nullable String> source;
    private final Consumer<Throwable> broken;
    private final AtomicBoolean woken = new AtomicBoolean();

    private volatile boolean stopped;
    private volatile long sendingSince;

    // Known to the event loop only.
    private boolean sending;
    private boolean pumping;

    /**
     * @param source the next frame, or null when there is none now; asked on the event loop
     * @param broken told once when the socket takes no more, or {@code source} fails
     */
    public Outlet(SocketHandle socket, Supplier<@Nullable String> source, Consumer<Throwable> broken) {
        this.socket = socket;
        this.source = source;
        this.broken = broken;
    }

    /**
     * There may be a frame now, which is sent at once when this is called on the event loop. Costs nothing when it was said before and not
     * yet looked at.
     */
    public void wake() {
        if (stopped) {
            return;
        }
        if (socket.isHere()) {
            pump();
        } else if (woken.compareAndSet(false, true)) {
            socket.run(() -> {
                woken.set(false);
                pump();
            });
        }
    }

    /** Does it on the event loop, on which this is called, after so many milliseconds. */
    public void after(long millis, Runnable action) {
        socket.after(millis, action);
    }

    /** Nothing more is asked for. */
    public void stop() {
        stopped = true;
    }

    /** Whether nothing of the frame on its way got through for so long that the other side is gone, or does not want it. */
    public boolean stalled() {
        return socket.stalled(sendingSince);
    }

    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!sending && !stopped) {
                String frame = source.get();
                if (frame == null) {
                    break;
                }
                send(frame);
            }
        } catch (RuntimeException failure) {
            fail(failure);
        } finally {
            pumping = false;
        }
    }

    private void send(String frame) {
        ChannelFuture sent = socket.send(frame);
        if (sent.isSuccess()) {
            return;
        }
        sending = true;
        // Never zero, which says that nothing is on its way.
        sendingSince = System.nanoTime() | 1;
        sent.addListener(this::sent);
    }

    private void sent(Future<? super Void> sent) {
        sending = false;
        sendingSince = 0;
        if (sent.isSuccess()) {
            pump();
        } else {
            fail(sent.cause());
        }
    }

    private void fail(Throwable why) {
        if (!stopped) {
            stopped = true;
            broken.accept(why);
        }
    }
}
