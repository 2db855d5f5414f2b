package dev.gadget.code.drone;

import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnDispatcher;
import dev.gadget.model.DroneId;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Looks once a second at what should have happened: a drone that is silent or away, an offer without an answer. */
@ApplicationScoped
class LeaseKeeper {
    private static final Logger LOG = Logger.getLogger(LeaseKeeper.class);
    /** A connection that was cut, not a drone that died, is back within this. */
    private static final Duration RETURNS_WITHIN = Duration.ofSeconds(3);

    private final DroneConnections connections;
    private final LiveTurns turns;

    LeaseKeeper(DroneConnections connections, LiveTurns turns) {
        this.connections = connections;
        this.turns = turns;
    }

    /** Turns that ran when the service stopped keep their lease: their drones go on, and come back. */
    void onStart(@Observes StartupEvent started) {
        Instant expires = Assignment.now().plusSeconds(Protocol.LEASE_SECONDS).minus(RETURNS_WITHIN);
        for (LiveTurn turn : turns.loadUnended()) {
            DroneId drone = turn.drone();
            WorkspaceId workspace = turn.workspace();
            if (drone == null || workspace == null) {
                // It waits: nobody was offered it yet.
                continue;
            }
            var assignment = new Assignment(connections, turn.owner(), drone, workspace, turn.session());
            assignment.working(turn);
            assignment.away(expires);
            if (connections.assign(assignment) != null) {
                turn.interrupt(lost("The service stopped while the drone had another turn."));
            }
        }
    }

    @Scheduled(every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void look() {
        connections.all().forEach(this::look);
        connections.assignments().forEach(this::look);
    }

    private void look(DroneConnection connection) {
        if (connection.secondsSinceHeard() >= Protocol.LEASE_SECONDS) {
            connection.close(DroneClose.SILENT);
            left(connection);
        } else if (connection.secondsSinceSaid() >= Protocol.HEARTBEAT_SECONDS) {
            connection.send(new DroneCommand.Heartbeat());
        }
    }

    /** The connection is over, whoever ended it. */
    void left(DroneConnection connection) {
        if (!connections.leave(connection)) {
            return;
        }
        Assignment assignment = connections.assignment(connection.id());
        if (assignment != null) {
            assignment.away(Assignment.now());
            // Another connection of it may have come in between.
            connections.of(connection.id()).ifPresent(_ -> assignment.back());
        }
        LOG.infof("drone %s is away", connection.id());
        connections.announce(connection.owner(), connection.id());
    }

    /** It does not come back: what it works on ends, and what waited for it. */
    void revoked(DroneId drone) {
        Assignment assignment = connections.assignment(drone);
        LiveTurn running = assignment == null ? null : assignment.turn();
        Stream.concat(Stream.ofNullable(running), turns.interrupted(drone).stream())
                .forEach(turn -> turn.giveUp(
                        lost("Its drone was removed, so that it does not go on. What came is kept; prompt again.")));
    }

    private void look(Assignment assignment) {
        LiveTurn turn = assignment.turn();
        Instant now = Assignment.now();
        if (turn == null || turn.status().ended()) {
            return;
        }
        if (assignment.offerOlderThan(now.minus(TurnDispatcher.ANSWERS_WITHIN))) {
            turn.end(
                    TurnStatus.FAILED,
                    new Failure(
                            FailureCode.DRONE_REJECTED,
                            "The drone did not accept the turn within " + TurnDispatcher.ANSWERS_WITHIN.toSeconds()
                                    + " s. Look at its log, and prompt again."));
        } else if (assignment.openOffer() != null) {
            assignment.ifAwayLongerThan(
                    now.minus(TurnDispatcher.ANSWERS_WITHIN),
                    () -> turn.end(
                            TurnStatus.FAILED,
                            new Failure(
                                    FailureCode.DRONE_REJECTED,
                                    "The drone went away before it accepted the turn, and has not been back for "
                                            + TurnDispatcher.ANSWERS_WITHIN.toSeconds()
                                            + " s. Look whether it runs and at its line, and prompt again.")));
        } else {
            assignment.ifAwayLongerThan(
                    now.minus(RETURNS_WITHIN),
                    () -> turn.interrupt(lost(
                            "The drone's connection was lost while it worked on this. If it still runs, it goes on here by"
                                    + " itself when it is back; if not, start it again in its workspace.")));
        }
    }

    static Failure lost(String message) {
        return new Failure(FailureCode.DRONE_LOST, message);
    }
}
