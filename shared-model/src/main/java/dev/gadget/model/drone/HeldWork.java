package dev.gadget.model.drone;

import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;

/**
 * A work order that a drone still has in its workspace.
 *
 * @param attempt which attempt at the turn
 * @param fence the number of the lease under which it worked
 * @param lastSeq the last entry in its journal
 * @param running whether it still works on it; false after a restart of the drone
 * @param complete whether its journal already holds the end
 */
public record HeldWork(
        WorkOrderId workOrderId,
        TurnId turnId,
        int attempt,
        long fence,
        long lastSeq,
        boolean running,
        boolean complete) {}
