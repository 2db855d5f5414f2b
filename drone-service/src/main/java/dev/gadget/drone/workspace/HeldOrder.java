package dev.gadget.drone.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.gadget.model.ProjectId;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.work.ProjectRef;
import dev.gadget.model.work.WorkOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code work-order.json} says: the order in full, so that it can be taken up after a crash, under the lease that it was
 * given. An {@code error} says why it cannot be taken up. It is there from before the work begins until the code service says that it may go.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HeldOrder(
        TurnId turnId,
        SessionId chatSessionId,
        @Nullable ProjectId projectId,
        WorkOrderId workOrderId,
        Instant receivedAt,
        String prompt,
        String status,
        @Nullable String error,
        int attempt,
        long fence,
        WorkOrder order) {
    /** A fresh one. */
    public static HeldOrder received(WorkOrder order, int attempt, long fence, Instant now) {
        ProjectRef project = order.project();
        return new HeldOrder(
                order.turnId(),
                order.chatSessionId(),
                project == null ? null : project.id(),
                order.workOrderId(),
                now,
                order.prompt(),
                "accepted",
                null,
                attempt,
                fence,
                order);
    }

    /** The same, of which nobody knows any more what was done for it. */
    public HeldOrder lost(String why) {
        return new HeldOrder(
                turnId, chatSessionId, projectId, workOrderId, receivedAt, prompt, "lost", why, attempt, fence, order);
    }

    /** The same under another lease. */
    public HeldOrder under(int newAttempt, long newFence) {
        return new HeldOrder(
                turnId,
                chatSessionId,
                projectId,
                workOrderId,
                receivedAt,
                prompt,
                status,
                error,
                newAttempt,
                newFence,
                order);
    }
}
