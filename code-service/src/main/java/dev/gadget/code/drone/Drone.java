package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneEvent;
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
        long version) {
    /** The same, with what it said of itself when it connected at {@code now}. */
    public Drone seen(DroneEvent.Hello hello, Instant now) {
        return new Drone(
                id,
                ownerId,
                name,
                credentialId,
                hello.workspaceId(),
                hello.workspaceDir(),
                hello.hostname(),
                hello.platform(),
                hello.droneVersion(),
                now,
                createdAt,
                version);
    }
}
