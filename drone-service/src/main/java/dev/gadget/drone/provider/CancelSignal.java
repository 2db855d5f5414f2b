package dev.gadget.drone.provider;

import java.util.ArrayList;
import java.util.List;

/** Tells everything that works on a turn to stop; set once, never taken back. */
public final class CancelSignal {
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    /** Stops: runs what was registered, in the order of registration, on the calling thread. */
    public void cancel() {
        List<Runnable> due;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
    }

    /** The same on a thread of its own: closing a connection may take its time. */
    public void cancelApart(String thread) {
        Thread.ofVirtual().name(thread).start(this::cancel);
    }

    public synchronized boolean cancelled() {
        return cancelled;
    }

    /** Has the action run on cancel, or at once when that was before; closing the result takes it back. */
    public Registration onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return () -> remove(action);
            }
        }
        action.run();
        return () -> {};
    }

    private synchronized void remove(Runnable action) {
        actions.remove(action);
    }

    /** Takes an action back. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
