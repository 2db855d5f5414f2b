package dev.gadget.drone.link;

import dev.gadget.model.WorkspaceMode;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Who may write in the workspace: nobody, a person for as long as they ask again, or the agent while it has an order. A prompt is a
 * person's word that the agent may, so that it ends the lease of a person.
 */
final class WorkspaceModes {
    private static final int LONGEST_LEASE_SECONDS = 300;

    private final ScheduledExecutorService timer;
    private final Consumer<WorkspaceMode> changed;
    private WorkspaceMode mode = WorkspaceMode.IDLE;
    private long leaseEnds;

    WorkspaceModes(ScheduledExecutorService timer, Consumer<WorkspaceMode> changed) {
        this.timer = timer;
        this.changed = changed;
    }

    synchronized WorkspaceMode mode() {
        return mode;
    }

    /** Whether a person has now what they asked for. */
    synchronized boolean request(WorkspaceMode wanted, int leaseSeconds) {
        if (mode == WorkspaceMode.AGENT || wanted == WorkspaceMode.AGENT) {
            return false;
        }
        if (wanted == WorkspaceMode.USER) {
            int seconds = Math.clamp(leaseSeconds, 1, LONGEST_LEASE_SECONDS);
            leaseEnds = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            timer.schedule(this::expire, seconds, TimeUnit.SECONDS);
        }
        change(wanted);
        return true;
    }

    synchronized void agent(boolean works) {
        if (works) {
            change(WorkspaceMode.AGENT);
        } else if (mode == WorkspaceMode.AGENT) {
            change(WorkspaceMode.IDLE);
        }
    }

    private synchronized void expire() {
        if (mode == WorkspaceMode.USER && System.nanoTime() - leaseEnds >= 0) {
            change(WorkspaceMode.IDLE);
        }
    }

    private void change(WorkspaceMode next) {
        if (next != mode) {
            mode = next;
            changed.accept(next);
        }
    }
}
