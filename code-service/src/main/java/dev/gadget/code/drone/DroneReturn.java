package dev.gadget.code.drone;

import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnBegan;
import dev.gadget.code.turn.WorkOrders;
import dev.gadget.model.FailureCode;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.HeldWork;
import dev.gadget.model.drone.RecoveryAction;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.work.WorkOrder;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/** Decides what becomes of the work that a drone holds when it connects: go on, take up again, or forget. */
@ApplicationScoped
class DroneReturn {
    private static final Logger LOG = Logger.getLogger(DroneReturn.class);
    private static final Duration STORED_WITHIN = Duration.ofSeconds(20);

    private final DroneConnections connections;
    private final LiveTurns turns;
    private final SessionArchive sessions;
    private final WorkOrders orders;
    private final Event<TurnBegan> began;
    private final Clock clock = Clock.systemUTC();

    DroneReturn(
            DroneConnections connections,
            LiveTurns turns,
            SessionArchive sessions,
            WorkOrders orders,
            Event<TurnBegan> began) {
        this.connections = connections;
        this.orders = orders;
        this.turns = turns;
        this.sessions = sessions;
        this.began = began;
    }

    /** A drone that kept running says what it still works on; one that lost an order has its turn ended. */
    void greeted(DroneConnection connection, DroneEvent.Hello hello) {
        Assignment assignment = connections.assignment(connection.id());
        if (assignment != null) {
            assignment.back();
        }
        boolean recovers = false;
        for (HeldWork held : hello.held()) {
            recovers |= !held.running();
            if (held.running()) {
                goOn(connection, held);
            }
        }
        if (!recovers) {
            expected(connection, hello);
        }
    }

    /** What it was given and does not have; said when all that it has is decided, because it takes one order at a time. */
    private void expected(DroneConnection connection, DroneEvent.Hello hello) {
        Assignment assignment = connections.assignment(connection.id());
        LiveTurn turn = assignment == null ? null : assignment.turn();
        if (assignment == null || turn == null || turn.status().ended() || holds(hello, turn)) {
            return;
        }
        Optional<WorkOrder> offer = offer(assignment, turn);
        if (offer.isPresent()) {
            assignment.offered(turn, offer.get(), clock.instant());
            connection.send(new DroneCommand.OfferWorkOrder(offer.get(), turn.attempt(), turn.fence()));
        } else {
            turn.end(
                    TurnStatus.FAILED,
                    LeaseKeeper.lost("The drone came back without this turn: its recovery files are gone."
                            + " What had come is kept; prompt again to go on."));
        }
    }

    /** The offer that was not answered; made anew when it was this service that stopped before the drone had it. */
    private Optional<WorkOrder> offer(Assignment assignment, LiveTurn turn) {
        WorkOrder open = assignment.openOffer();
        return open == null && turn.status() == TurnStatus.QUEUED ? orders.again(turn) : Optional.ofNullable(open);
    }

    private static boolean holds(DroneEvent.Hello hello, LiveTurn turn) {
        return hello.held().stream().anyMatch(one -> one.workOrderId().equals(turn.workOrder()));
    }

    private void goOn(DroneConnection connection, HeldWork held) {
        Optional<LiveTurn> turn =
                wanted(connection, held, one -> one.fence() == held.fence() && one.attempt() == held.attempt());
        if (turn.isEmpty()) {
            connection.send(new DroneCommand.ReleaseWorkOrder(held.workOrderId()));
            return;
        }
        boolean interrupted = turn.get().status() == TurnStatus.INTERRUPTED;
        turn.get().reopen();
        if (turn.get().status() == TurnStatus.QUEUED) {
            // Its acceptance, or the start, may have been lost on the way.
            connection.send(new DroneCommand.StartWorkOrder(held.workOrderId(), held.attempt(), held.fence()));
        }
        connection.send(new DroneCommand.ResendWork(
                held.workOrderId(), held.attempt(), turn.get().appliedSeq() + 1));
        if (interrupted) {
            announce(turn.get());
        }
    }

    /** A drone that was started again asks what to do with an order in its files. The decision is stored before it is told. */
    void recover(DroneConnection connection, HeldWork held) {
        // An older lease is one whose answer was lost: the same drone asks again.
        Optional<LiveTurn> wanted =
                wanted(connection, held, one -> held.fence() <= one.fence() && held.attempt() <= one.attempt());
        if (wanted.isEmpty()) {
            LOG.infof("drone %s is told to discard work order %s", connection.id(), held.workOrderId());
            connection.send(new DroneCommand.RecoverWorkOrder(
                    held.workOrderId(), RecoveryAction.DISCARD, held.attempt(), held.fence(), 1));
            DroneEvent.Hello hello = connection.hello();
            if (hello != null) {
                expected(connection, hello);
            }
            return;
        }
        LiveTurn turn = wanted.get();
        RecoveryAction action = held.complete() ? RecoveryAction.RESUME : RecoveryAction.RETRY;
        boolean retry = action == RecoveryAction.RETRY;
        turn.lease(
                connection.id(),
                connection.workspace(),
                turn.attempt() + (retry ? 1 : 0),
                turn.fence() + (retry ? 1 : 0));
        if (!stored(turn)) {
            // The drone asks again with its next connection; until then it deletes nothing.
            connection.close(DroneClose.SLOW);
            return;
        }
        LOG.infof("drone %s is told to %s turn %s", connection.id(), action, turn.id());
        connection.send(new DroneCommand.RecoverWorkOrder(
                held.workOrderId(), action, turn.attempt(), turn.fence(), turn.appliedSeq() + 1));
        announce(turn);
    }

    private static boolean stored(LiveTurn turn) {
        try {
            return turn.awaitStored(STORED_WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The turn of a held order under such a lease, with the drone and the session kept for it, when it may go on. */
    private Optional<LiveTurn> wanted(DroneConnection connection, HeldWork held, Predicate<LiveTurn> leased) {
        Optional<LiveTurn> found = turns.load(held.turnId())
                .filter(turn -> turn.owner().equals(connection.owner())
                        && turn.workOrder().equals(held.workOrderId())
                        && connection.workspace().equals(turn.workspace())
                        && !turn.dropped()
                        && leased.test(turn));
        return found.filter(turn -> kept(connection, turn));
    }

    private boolean kept(DroneConnection connection, LiveTurn turn) {
        boolean interrupted = turn.status() == TurnStatus.INTERRUPTED;
        if (turn.status().ended() && !interrupted) {
            return false;
        }
        if (interrupted && !stored(turn)) {
            // Storing the interruption gives the session and the drone free; what comes after it must not be undone by
            // that.
            throw new StoreException(
                    FailureCode.STORE_UNAVAILABLE, "the interruption of turn " + turn.id() + " is not stored yet");
        }
        Assignment current = connections.assignment(connection.id());
        if (current != null && current.isFor(turn)) {
            current.working(turn);
            return true;
        }
        var assignment =
                new Assignment(connections, turn.owner(), connection.id(), connection.workspace(), turn.session());
        assignment.working(turn);
        if (current != null || connections.assign(assignment) != null) {
            return false;
        }
        // An interruption gave the session free: another turn may have begun in it, and then this one is over.
        boolean claimed;
        try {
            claimed = sessions.claim(turn.session(), turn.id());
        } catch (StoreException away) {
            // It comes back and asks again: with the place kept, it would go on without the session's lock.
            assignment.close();
            throw away;
        }
        if (!claimed) {
            assignment.close();
            turn.settle();
        }
        return claimed;
    }

    private void announce(LiveTurn turn) {
        began.fire(new TurnBegan(turn.owner(), turn.session(), turn.id()));
    }
}
