package dev.gadget.drone.link;

import dev.gadget.drone.workspace.RunningNote;
import dev.gadget.drone.workspace.WorkspaceStore;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.HeldWork;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes down how this drone is, when it changes, for {@code gadget-drone status}: a drone opens no port that could be asked. */
final class RunningNotes {
    private static final Logger LOG = Logger.getLogger(RunningNotes.class);

    private final WorkspaceStore workspace;
    private RunningNote note;
    private @Nullable RunningNote written;
    private @Nullable WorkOrderId storedOf;
    private long stored;
    private boolean over;

    RunningNotes(WorkspaceStore workspace, String version, String server, String sandbox, String terminals) {
        this.workspace = workspace;
        Instant now = Instant.now();
        note = new RunningNote(
                version,
                ProcessHandle.current().pid(),
                now,
                server,
                false,
                now,
                null,
                "it has not answered yet",
                sandbox,
                terminals,
                null,
                null,
                null);
    }

    synchronized void connected(String serviceVersion) {
        change(true, serviceVersion, null);
    }

    /** There is no connection, for this reason; for the latest one when that was so already. */
    synchronized void lost(String why) {
        change(false, note.serviceVersion(), why);
    }

    private void change(boolean connected, @Nullable String serviceVersion, @Nullable String why) {
        Instant since = connected == note.connected() ? note.since() : Instant.now();
        note = new RunningNote(
                note.version(),
                note.pid(),
                note.startedAt(),
                note.server(),
                connected,
                since,
                serviceVersion,
                why,
                note.sandbox(),
                note.terminals(),
                note.workOrderId(),
                note.lastSeq(),
                note.storedSeq());
        write();
    }

    /** The service has all of it up to this entry. */
    synchronized void stored(WorkOrderId order, long seq) {
        stored = order.equals(storedOf) ? Math.max(stored, seq) : seq;
        storedOf = order;
    }

    /** What is in hand now. */
    synchronized void work(List<HeldWork> held) {
        HeldWork one = held.isEmpty() ? null : held.getFirst();
        note = new RunningNote(
                note.version(),
                note.pid(),
                note.startedAt(),
                note.server(),
                note.connected(),
                note.since(),
                note.serviceVersion(),
                note.lost(),
                note.sandbox(),
                note.terminals(),
                one == null ? null : one.workOrderId(),
                one == null ? null : (Long) one.lastSeq(),
                one == null ? null : storedOf(one));
        write();
    }

    /** Nothing is written any more: the workspace is another's next. */
    synchronized void over() {
        over = true;
    }

    /** Not known before the service has said so to this run. */
    private @Nullable Long storedOf(HeldWork held) {
        return held.workOrderId().equals(storedOf) ? (Long) stored : null;
    }

    private void write() {
        if (over || Objects.equals(note, written)) {
            return;
        }
        try {
            workspace.note(note);
            written = note;
        } catch (IOException e) {
            LOG.warnf("how this drone is cannot be written down: %s", e.getMessage());
        }
    }
}
