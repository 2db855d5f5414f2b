package dev.gadget.drone.agent;

import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.model.turn.ApprovalDecision;
import dev.gadget.model.work.WorkEntry;
import dev.gadget.model.work.WorkOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Works on one turn from its prompt, or from where a crash cut it, to its end. */
public interface WorkOrderRunner {
    /**
     * Works on the calling thread until the turn has ended and {@link WorkReport#complete} was called, exactly once.
     *
     * @param earlier what the journal holds of this turn already, in order; empty for a fresh one. Finished rounds and tool
     *     results are taken from it, and no tool whose intent is in it is run blindly again
     */
    void run(WorkOrder order, List<WorkEntry> earlier, WorkReport report, Approvals approvals, CancelSignal cancel);

    /** Asks a person about a tool call that waits. */
    interface Approvals {
        /** Blocks until a person decided, or the signal was cancelled. */
        Decision await(String callId, CancelSignal cancel) throws InterruptedException;
    }

    /** What the person said. */
    record Decision(ApprovalDecision decision, @Nullable String reason) {}
}
