package dev.gadget.drone.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Tells now and then how far the model is with a call that it writes; of one that comes at once nothing. */
final class CallProgress {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final WorkReport report;
    private final LongSupplier nanos;
    private boolean begun;
    private long since;

    CallProgress(WorkReport report, LongSupplier nanos) {
        this.report = report;
        this.nanos = nanos;
    }

    /** The model is asked: what came before is over. */
    void asked() {
        begun = false;
    }

    void grew(String name, int chars) {
        long now = nanos.getAsLong();
        if (!begun) {
            begun = true;
            since = now;
        } else if (now - since >= EVERY_NANOS) {
            since = now;
            report.callGrows(name, chars);
        }
    }
}
