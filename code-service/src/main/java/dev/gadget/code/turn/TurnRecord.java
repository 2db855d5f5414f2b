package dev.gadget.code.turn;

import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.ReasoningEffort;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it is stored, without its blocks.
 *
 * @param attempt which attempt at the work order, from 1
 * @param fence the number of the last lease that was given for it; what comes with a lower one is refused
 * @param durableSeq the last entry of the drone whose effect is stored
 */
public record TurnRecord(
        TurnId id,
        SessionId sessionId,
        UserId ownerId,
        String prompt,
        TurnStatus status,
        String provider,
        String model,
        ReasoningEffort reasoningEffort,
        WorkOrderId workOrderId,
        @Nullable DroneId droneId,
        @Nullable WorkspaceId workspaceId,
        int attempt,
        long fence,
        long durableSeq,
        Usage usage,
        TurnStats stats,
        @Nullable Failure error,
        Instant createdAt,
        @Nullable Instant finishedAt,
        long version) {}
