package dev.gadget.code.drone;

import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneCommand.ForgetSession;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.process.ProcessAction;
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
 * @param stopping sessions that were put away or moved, of which it has not answered that what runs in their background ends; told the
 *     same way
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
        List<SessionId> stopping,
        Instant createdAt,
        long version) {
    private static final int MOST_OWED = 200;
    private static final String STOP = "stop-";

    public Drone {
        owed = List.copyOf(owed);
        stopping = List.copyOf(stopping);
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
                stopping,
                createdAt,
                version);
    }

    /** The same, with this to be told; of very many the oldest are left out. */
    Drone owing(ForgetSession gone) {
        return with(and(owed, gone), stopping);
    }

    /** The same, with what runs in the background of this session to be ended; bounded the same way. */
    Drone stopping(SessionId session) {
        return with(owed, and(without(stopping, session), session));
    }

    /** The same, after it answered this request. */
    Drone stopped(String request) {
        return with(
                owed,
                stopping.stream()
                        .filter(session -> !request.equals(stop(session).requestId()))
                        .toList());
    }

    /** Its id says which session it is about, so that nothing else has to be kept until the answer comes. */
    static DroneCommand.RequestProcesses stop(SessionId session) {
        return new DroneCommand.RequestProcesses(STOP + session.value(), session, ProcessAction.STOP_ALL, null);
    }

    static boolean isStop(String request) {
        return request.startsWith(STOP);
    }

    /** All that it is told whenever it comes. */
    Stream<DroneCommand> toTell() {
        return Stream.concat(owed.stream(), stopping.stream().map(Drone::stop));
    }

    /** The same, after it answered for this session. */
    Drone told(SessionId session) {
        return with(
                owed.stream().filter(one -> !one.sessionId().equals(session)).toList(), stopping);
    }

    private static <T> List<T> and(List<T> all, T last) {
        List<T> kept = all.subList(Math.max(0, all.size() - MOST_OWED + 1), all.size());
        return Stream.concat(kept.stream(), Stream.of(last)).toList();
    }

    private static List<SessionId> without(List<SessionId> all, SessionId one) {
        return all.stream().filter(other -> !other.equals(one)).toList();
    }

    private Drone with(List<ForgetSession> gone, List<SessionId> left) {
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
                gone,
                left,
                createdAt,
                version);
    }
}
