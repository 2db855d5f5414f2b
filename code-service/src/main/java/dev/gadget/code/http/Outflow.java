package dev.gadget.code.http;

import io.netty.channel.ChannelOutboundBuffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether what is written to a connection gets on. A slow line takes long for one message and is no reason to end it; one that takes no
 * byte of it is. Asked every few seconds by one thread.
 */
public final class Outflow {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** On a connection with many streams the others may get on for ever. */
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final HttpConnection connection;
    private long writingSince;
    private long waiting;
    private long movedAt;

    public Outflow(HttpConnection connection) {
        this.connection = connection;
    }

    /** Whether of what is written since then, by the clock that only goes forward, nothing went out for 30 s; 0 for nothing. */
    public boolean stalled(long since) {
        return since != 0 && stands(since);
    }

    private synchronized boolean stands(long since) {
        long now = System.nanoTime();
        long waits = waiting();
        if (since != writingSince || waits != waiting) {
            movedAt = since == writingSince ? now : since;
            writingSince = since;
            waiting = waits;
        }
        return now - movedAt > PATIENCE_NANOS || now - since > LONGEST_NANOS;
    }

    /** How many bytes the system has not taken yet. */
    public long waiting() {
        ChannelOutboundBuffer buffer = buffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /** Null once the connection is closed. */
    private @Nullable ChannelOutboundBuffer buffer() {
        return connection instanceof ConnectionBase base
                ? base.channel().unsafe().outboundBuffer()
                : null;
    }
}
