package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One enrolled drone, as it is stored; whether it is connected is known only to {@code DroneRoster}.
 *
 * @param credentialId the stored token that it proves itself with; deleting that token revokes the drone
 */
public record Drone(
        DroneId id,
        UserId ownerId,
        String name,
        String credentialId,
        WorkspaceId workspaceId,
        String workspaceDir,
        String hostname,
        @Nullable String platform,
        @Nullable String droneVersion,
        @Nullable Instant lastSeenAt,
        Instant createdAt,
        long version) {}
