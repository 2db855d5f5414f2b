package dev.gadget.code.turn;

import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.turn.ApprovalDecision;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a person decided on a call that waits; kept until the drone tells what came of it, because it may be away.
 *
 * @param shown the hash of what the person was asked about: the answer counts for nothing else
 * @param parameters what the call is to run with instead
 * @param patterns those of the question, when all that they cover is allowed for the session
 * @param attempt of the question that it answers; the same question of the same attempt again is a new one
 */
public record ToolDecision(
        ApprovalDecision decision,
        @Nullable String reason,
        @Nullable String shown,
        @Nullable Map<String, Object> parameters,
        @Nullable List<String> patterns,
        UserId by,
        Instant at,
        int attempt) {
    /** Whether it says the same as the other one. */
    boolean says(ToolDecision other) {
        return asOf(other).equals(other);
    }

    private ToolDecision asOf(ToolDecision other) {
        return new ToolDecision(decision, reason, shown, parameters, patterns, other.by(), other.at(), other.attempt());
    }

    /** The same for the same question, asked again in a later attempt. */
    ToolDecision in(int later) {
        return new ToolDecision(decision, reason, shown, parameters, patterns, by, at, later);
    }

    DroneCommand.DecideApproval command(WorkOrderId order, String callId) {
        return new DroneCommand.DecideApproval(order, callId, decision, reason, shown, parameters, patterns);
    }
}
