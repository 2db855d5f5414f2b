package dev.gadget.drone.mcp;

import dev.gadget.drone.mcp.McpException.Kind;
import dev.gadget.drone.provider.CancelSignal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends one exchange when its time is over, or when the person stops it, whatever it waits for. */
final class Deadline implements AutoCloseable {
    private final AtomicReference<@Nullable McpException> reason = new AtomicReference<>();
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final CancelSignal stops = new CancelSignal();
    private final CancelSignal.Registration cancelled;

    Deadline(Duration limit, CancelSignal cancel) {
        over.completeOnTimeout(true, limit.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(_ -> stop(
                        new McpException(Kind.TIMED_OUT, "did not answer within " + limit.toSeconds() + " seconds")));
        cancelled = cancel.onCancel(() -> stop(McpException.cancelled()));
    }

    private void stop(McpException why) {
        if (reason.compareAndSet(null, why)) {
            stops.cancel();
        }
    }

    /** Has this done when it is over; at once when it is already. */
    void stops(Runnable action) {
        stops.onCancel(action);
    }

    /** Why the exchange ended: because of this, or else for that reason. */
    McpException reason(McpException otherwise) {
        McpException why = reason.get();
        return why == null ? otherwise : why.again();
    }

    @Override
    public void close() {
        cancelled.close();
        over.cancel(false);
    }
}
