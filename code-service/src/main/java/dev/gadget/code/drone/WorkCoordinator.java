package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.SessionDeleted;
import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.LiveTurn.Reported;
import dev.gadget.code.turn.TurnDispatcher;
import dev.gadget.code.turn.TurnQueue;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.DroneStatus;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Brings turns to drones and what drones say of them to the turns. */
@Singleton
public class WorkCoordinator implements TurnDispatcher, TurnSaver.TurnStored {
    private static final Logger LOG = Logger.getLogger(WorkCoordinator.class);
    /** Later than a drone needs to end what it runs, and less than the two seconds in which a cancel is over. */
    private static final Executor CANCELS = CompletableFuture.delayedExecutor(
            1700,
            TimeUnit.MILLISECONDS,
            task -> Thread.ofVirtual().name("cancel").start(task));

    private static final Duration SETTLES_WITHIN = Duration.ofSeconds(5);

    private final DroneConnections connections;
    private final TurnQueue queue;
    private final ProcessDesk processes;

    WorkCoordinator(DroneConnections connections, TurnQueue queue, ProcessDesk processes) {
        this.connections = connections;
        this.queue = queue;
        this.processes = processes;
    }

    @Override
    public Place reserve(ChatSession session) {
        WorkspaceId workspace = session.workspaceId();
        List<DroneConnection> candidates = workspace == null
                ? connections.ofOwner(session.ownerId())
                : connections.of(session.ownerId(), workspace).stream().toList();
        if (candidates.isEmpty()) {
            throw new RefusedException(
                    FailureCode.NO_DRONE,
                    workspace == null
                            ? "No drone of yours is connected. Start one with 'gadget-drone run' in a workspace directory."
                            : "The drone of this session's workspace is not connected. Start it there with 'gadget-drone run',"
                                    + " or move the session to another workspace in its settings.");
        }
        return candidates.stream()
                .sorted(Comparator.comparing((DroneConnection one) -> connections.assignment(one.id()) != null)
                        // Where a person writes a turn would end that, and find files half changed.
                        .thenComparing(one -> one.mode() == WorkspaceMode.USER))
                .map(one -> keep(one, session.id()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> busy(candidates, session.id()));
    }

    @Override
    public boolean yieldsToPerson(ChatSession session) {
        WorkspaceId workspace = session.workspaceId();
        return workspace != null
                && connections
                        .of(session.ownerId(), workspace)
                        .filter(drone -> drone.mode() == WorkspaceMode.USER)
                        .isPresent();
    }

    /** Of two prompts of one session at the same moment the second one finds the drone kept for the first. */
    private RefusedException busy(List<DroneConnection> candidates, SessionId session) {
        boolean own = candidates.stream()
                .map(one -> connections.assignment(one.id()))
                .anyMatch(other -> other != null && other.session().equals(session));
        return own
                ? new RefusedException(
                        FailureCode.TURN_RUNNING,
                        "A turn is just beginning in this session. Wait for its end, or cancel it.")
                : new RefusedException(
                        FailureCode.DRONE_BUSY,
                        "The drone works on another turn, or just starts. Wait for it, or connect another one.");
    }

    private Optional<Place> keep(DroneConnection connection, SessionId session) {
        if (connection.status() == DroneStatus.STARTING) {
            return Optional.empty();
        }
        var place = new Assignment(connections, connection.owner(), connection.id(), connection.workspace(), session);
        Assignment other = connections.assign(place);
        if (other != null && settles(other)) {
            other = connections.assign(place);
        }
        return other == null ? Optional.of(place) : Optional.empty();
    }

    /** Whether the turn before has ended and only has to be stored, which is waited for. */
    private static boolean settles(Assignment assignment) {
        LiveTurn turn = assignment.turn();
        try {
            return turn != null && turn.status().ended() && turn.awaitStored(SETTLES_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void dispatch(LiveTurn turn, WorkOrder order, Place place) {
        if (!(place instanceof Assignment assignment)) {
            throw new IllegalArgumentException("not a place that was reserved here: " + place.getClass());
        }
        assignment.offered(turn, order, Assignment.now());
        if (turn.status().ended() || turn.dropped()) {
            // Cancelled or deleted while nothing said yet that this place was its own.
            assignment.close();
            return;
        }
        connections
                .of(place.drone())
                .ifPresentOrElse(
                        connection -> {
                            LOG.debugf(
                                    "turn offered turnId=%s sessionId=%s droneId=%s workOrderId=%s attempt=%d",
                                    turn.id(), turn.session(), place.drone(), turn.workOrder(), turn.attempt());
                            connection.send(
                                    new DroneCommand.OfferWorkOrder(order, turn.attempt(), turn.fence()),
                                    () -> assignment.told(order, Assignment.now()));
                        },
                        () -> {
                            // Nothing is on its way, so that its answer is not waited for as if it were.
                            assignment.told(order, Assignment.now());
                            assignment.away(Assignment.now());
                        });
    }

    @Override
    public void cancel(LiveTurn turn) {
        Optional<Assignment> assignment = assignmentOf(turn);
        Optional<DroneConnection> connection = assignment.flatMap(one -> connections.of(one.drone()));
        if (connection.isEmpty()) {
            turn.cancel();
            return;
        }
        connection.get().send(new DroneCommand.CancelWorkOrder(turn.workOrder()));
        // A drone that does not answer has the lease no more; nothing happens when it has ended by then.
        CANCELS.execute(turn::cancel);
    }

    @Override
    public boolean decide(LiveTurn turn, DroneCommand.DecideApproval decision) {
        Optional<DroneConnection> connection = connectionOf(turn);
        connection.ifPresent(drone -> drone.send(decision));
        return connection.isPresent();
    }

    @Override
    public void stopCall(LiveTurn turn, String callId) {
        connectionOf(turn)
                .orElseThrow(() -> new RefusedException(
                        FailureCode.DRONE_LOST,
                        "The drone of this turn is away, so that it cannot be told. Stop the call when it is back."))
                .send(new DroneCommand.StopCall(turn.workOrder(), callId));
    }

    @Override
    public boolean steer(LiveTurn running, TurnId prompt, @Nullable String words) {
        Optional<DroneConnection> connection = connectionOf(running);
        connection.ifPresent(
                drone -> drone.send(new DroneCommand.SteerTurn(running.workOrder(), running.fence(), prompt, words)));
        return connection.isPresent();
    }

    private Optional<DroneConnection> connectionOf(LiveTurn turn) {
        return assignmentOf(turn).flatMap(one -> connections.of(one.drone()));
    }

    void accepted(DroneConnection from, DroneEvent.WorkOrderAccepted accepted) {
        Assignment assignment = assignmentOf(from, accepted.workOrderId());
        if (assignment != null && wanted(assignment.turn(), accepted)) {
            assignment.accepted();
            from.send(new DroneCommand.StartWorkOrder(accepted.workOrderId(), accepted.attempt(), accepted.fence()));
        } else {
            from.send(new DroneCommand.ReleaseWorkOrder(accepted.workOrderId()));
        }
    }

    private static boolean wanted(@Nullable LiveTurn turn, DroneEvent.WorkOrderAccepted accepted) {
        return turn != null
                && !turn.dropped()
                && !turn.status().ended()
                && turn.fence() == accepted.fence()
                && turn.attempt() == accepted.attempt();
    }

    void rejected(DroneConnection from, DroneEvent.WorkOrderRejected rejected) {
        Assignment assignment = assignmentOf(from, rejected.workOrderId());
        if (assignment == null || assignment.openOffer() == null) {
            return;
        }
        LiveTurn turn = assignment.turn();
        Failure why = rejected.failure();
        if (turn != null && why.code() == FailureCode.DRONE_BUSY) {
            assignment.close();
            queue.notTaken(turn, why);
        } else if (turn != null) {
            turn.end(
                    TurnStatus.FAILED,
                    new Failure(FailureCode.DRONE_REJECTED, "The drone did not take the turn: " + why.message()));
        }
    }

    void reported(DroneConnection from, DroneEvent.WorkReported report) {
        Assignment assignment = assignmentOf(from, report.workOrderId());
        LiveTurn turn = assignment == null ? null : assignment.turn();
        if (assignment == null || turn == null) {
            // Ended from this side, deleted, or never given to this drone: it is to stop and forget it.
            from.send(new DroneCommand.ReleaseWorkOrder(report.workOrderId()));
            return;
        }
        switch (turn.report(report.attempt(), report.fence(), report.entries())) {
            case Reported.Taken _, Reported.Away _ -> {}
            case Reported.Outdated _ -> from.send(new DroneCommand.ReleaseWorkOrder(report.workOrderId()));
            case Reported.Gap gap -> resend(from, assignment, turn, gap.fromSeq());
        }
        turn.takeAnswered().forEach(from::send);
    }

    private void resend(DroneConnection from, Assignment assignment, LiveTurn turn, long fromSeq) {
        switch (assignment.missing(fromSeq, Assignment.now())) {
            case WAIT -> {}
            case ASK -> from.send(new DroneCommand.ResendWork(turn.workOrder(), turn.attempt(), fromSeq));
            case GIVE_UP -> {
                LOG.warnf("drone %s does not send entry %d of turn %s", from.id(), fromSeq, turn.id());
                turn.end(
                        TurnStatus.FAILED,
                        new Failure(
                                FailureCode.SEQUENCE_GAP,
                                "The drone no longer has a part of what it said (from entry " + fromSeq
                                        + " on). What came is kept; prompt again to go on."));
            }
        }
    }

    @Override
    public void stored(LiveTurn turn, long durableSeq, boolean ended) {
        Optional<Assignment> assignment = assignmentOf(turn);
        Optional<DroneConnection> connection = assignment.flatMap(one -> connections.of(one.drone()));
        connection.ifPresent(
                drone -> drone.send(new DroneCommand.AcknowledgeWork(turn.workOrder(), turn.attempt(), durableSeq)));
        if (!ended) {
            return;
        }
        if (turn.status() != TurnStatus.INTERRUPTED) {
            connection.ifPresent(drone -> drone.send(new DroneCommand.ReleaseWorkOrder(turn.workOrder())));
        }
        assignment.ifPresent(Assignment::close);
        processes.ended(turn);
    }

    /** Something may wait for it. */
    void onDrone(@Observes DroneStatusChanged changed) {
        if (changed.status() == DroneStatus.AVAILABLE) {
            queue.look(changed.owner());
        }
    }

    void onDeleted(@Observes SessionDeleted deleted) {
        for (Assignment assignment : connections.assignments()) {
            LiveTurn turn = assignment.turn();
            if (turn != null && turn.session().equals(deleted.session())) {
                connections
                        .of(assignment.drone())
                        .ifPresent(drone -> drone.send(new DroneCommand.ReleaseWorkOrder(turn.workOrder())));
                assignment.close();
            }
        }
    }

    private @Nullable Assignment assignmentOf(DroneConnection from, WorkOrderId order) {
        Assignment assignment = from.assignment();
        if (assignment == null || assignment.over()) {
            assignment = connections.assignment(from.id());
            from.assignment(assignment);
        }
        return assignment != null && assignment.isFor(order) ? assignment : null;
    }

    private Optional<Assignment> assignmentOf(LiveTurn turn) {
        DroneId drone = turn.drone();
        // One that was enrolled again is another one than the turn began with.
        return Optional.ofNullable(drone == null ? null : connections.assignment(drone))
                .filter(one -> one.isFor(turn))
                .or(() -> connections.assignments().stream()
                        .filter(one -> one.isFor(turn))
                        .findFirst());
    }
}
