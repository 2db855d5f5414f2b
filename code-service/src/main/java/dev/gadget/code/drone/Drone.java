package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.drone.DroneEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One enrolled drone, as it is stored; whether it is connected is known only to {@code DroneRoster}.
 *
 * @param credentialId the stored token that it proves itself with; deleting that token revokes the drone
 * @param workspaceId the one that was enrolled; it never changes, and the drone may say no other
 * @param owed deleted sessions that it has not answered for, the latest last: it is told of them whenever it comes
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
        List<ForgetSession> owed,
        Instant createdAt,
        long version) {
    private static final int MOST_OWED = 200;

    public Drone {
        owed = List.copyOf(owed);
    }

    /** The same, with what it said of itself when it connected at {@code now}. */
    public Drone seen(DroneEvent.Hello hello, Instant now) {
        return new Drone(
                id,
                ownerId,
                name,
                credentialId,
                workspaceId,
                hello.workspaceDir(),
                hello.hostname(),
                hello.platform(),
                hello.droneVersion(),
                now,
                owed,
                createdAt,
                version);
    }

    /** The same, with this to be told; of very many the oldest are left out. */
    Drone owing(ForgetSession gone) {
        List<ForgetSession> kept = owed.subList(Math.max(0, owed.size() - MOST_OWED + 1), owed.size());
        return withOwed(Stream.concat(kept.stream(), Stream.of(gone)).toList());
    }

    /** The same, after it answered for this session. */
    Drone told(SessionId session) {
        return withOwed(
                owed.stream().filter(one -> !one.sessionId().equals(session)).toList());
    }

    private Drone withOwed(List<ForgetSession> all) {
        return new Drone(
                id,
                ownerId,
                name,
                credentialId,
                workspaceId,
                workspaceDir,
                hostname,
                platform,
                droneVersion,
                lastSeenAt,
                all,
                createdAt,
                version);
    }
}
