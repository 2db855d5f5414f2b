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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/** Decides what becomes of the work that a drone holds when it connects: go on, take up again, or forget. */
@ApplicationScoped
class DroneReturn {
    private static final Logger LOG = Logger.getLogger(DroneReturn.class);
    private static final String WITHOUT_IT = "The drone came back without this turn: its recovery files are gone."
            + " What had come is kept; prompt again to go on.";
    private static final Duration STORED_WITHIN = Duration.ofSeconds(20);

    private final DroneConnections connections;
    private final LiveTurns turns;
    private final SessionArchive sessions;
    private final WorkOrders orders;
    private final Event<TurnBegan> began;

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
        List<HeldWork> kept = new ArrayList<>();
        for (HeldWork held : hello.held()) {
            recovers |= !held.running();
            if (held.running() && goOn(connection, held)) {
                kept.add(held);
            }
        }
        if (!recovers) {
            expected(connection, kept);
        }
    }

    /** What waits for this drone and is not with it any more is over: its readers need not wait. */
    void takeLeave(DroneConnection connection, DroneEvent.Hello hello) {
        turns.interrupted(connection.id()).stream()
                .filter(turn -> !holds(hello.held(), turn))
                // With a later connection it may hold what it did not when it said this.
                .filter(_ -> connections
                        .of(connection.id())
                        .filter(now -> now == connection)
                        .isPresent())
                .forEach(DroneReturn::takeLeave);
    }

    /** The drone is told to let it go. */
    private void takeLeave(DroneConnection connection, HeldWork held) {
        turns.load(held.turnId())
                .filter(turn -> turn.workOrder().equals(held.workOrderId()) && turn.awaits(connection.id()))
                .ifPresent(DroneReturn::takeLeave);
    }

    private static void takeLeave(LiveTurn turn) {
        LOG.infof("interrupted turn %s is over: its drone is back without it", turn.id());
        turn.settle(LeaseKeeper.lost(WITHOUT_IT));
    }

    /** What it was given and does not have; said when all that it has is decided, because it takes one order at a time. */
    private void expected(DroneConnection connection, List<HeldWork> kept) {
        Assignment assignment = connections.assignment(connection.id());
        LiveTurn turn = assignment == null ? null : assignment.turn();
        if (assignment == null || turn == null || turn.status().ended() || holds(kept, turn)) {
            return;
        }
        Optional<WorkOrder> offer = offer(assignment, turn);
        if (offer.isPresent()) {
            assignment.offered(turn, offer.get(), Assignment.now());
            connection.send(
                    new DroneCommand.OfferWorkOrder(offer.get(), turn.attempt(), turn.fence()),
                    () -> assignment.told(offer.get(), Assignment.now()));
        } else {
            turn.end(TurnStatus.FAILED, LeaseKeeper.lost(WITHOUT_IT));
        }
    }

    /** The offer that was not answered; made anew when it was this service that stopped before the drone had it. */
    private Optional<WorkOrder> offer(Assignment assignment, LiveTurn turn) {
        WorkOrder open = assignment.openOffer();
        return open == null && turn.status() == TurnStatus.QUEUED ? orders.again(turn) : Optional.ofNullable(open);
    }

    private static boolean holds(List<HeldWork> kept, LiveTurn turn) {
        return kept.stream().anyMatch(one -> one.workOrderId().equals(turn.workOrder()));
    }

    /** False when the order is over: the drone is told to let it go. */
    private boolean goOn(DroneConnection connection, HeldWork held) {
        Optional<LiveTurn> wanted = wanted(
                connection,
                held,
                one -> one.fence() == held.fence() ? one.attempt() == held.attempt() : isRolledBack(one, held));
        if (wanted.isEmpty()) {
            connection.send(new DroneCommand.ReleaseWorkOrder(held.workOrderId()));
            takeLeave(connection, held);
            return false;
        }
        LiveTurn turn = wanted.get();
        boolean interrupted = turn.status() == TurnStatus.INTERRUPTED;
        if (isRolledBack(turn, held)) {
            LOG.warnf(
                    "the store has an older state of turn %s than drone %s, which says again what is missing",
                    turn.id(), connection.id());
            turn.lease(connection.id(), connection.workspace(), held.attempt(), held.fence());
        } else {
            turn.reopen();
        }
        if (turn.appliedSeq() == 0) {
            // Its acceptance, or the start, may have been lost on the way; who has begun passes over a second start.
            connection.send(new DroneCommand.StartWorkOrder(held.workOrderId(), held.attempt(), held.fence()));
        }
        connection.send(new DroneCommand.ResendWork(held.workOrderId(), held.attempt(), turn.appliedSeq() + 1));
        turn.decisions().forEach(connection::send);
        if (interrupted) {
            announce(turn);
        }
        return true;
    }

    /** Each lease is stored before its drone hears of it: one that is newer than the stored one says that the store was put back. */
    private static boolean isRolledBack(LiveTurn turn, HeldWork held) {
        return held.fence() > turn.fence();
    }

    /** A drone that was started again asks what to do with an order in its files. The decision is stored before it is told. */
    void recover(DroneConnection connection, HeldWork held) {
        // An older lease is one whose answer was lost: the same drone asks again.
        Optional<LiveTurn> wanted =
                wanted(connection, held, one -> isRolledBack(one, held) || held.attempt() <= one.attempt());
        if (wanted.isEmpty()) {
            LOG.infof("drone %s is told to discard work order %s", connection.id(), held.workOrderId());
            connection.send(new DroneCommand.RecoverWorkOrder(
                    held.workOrderId(), RecoveryAction.DISCARD, held.attempt(), held.fence(), 1));
            takeLeave(connection, held);
            DroneEvent.Hello hello = connection.hello();
            if (hello != null) {
                expected(
                        connection,
                        hello.held().stream().filter(HeldWork::running).toList());
            }
            return;
        }
        LiveTurn turn = wanted.get();
        RecoveryAction action = held.complete() ? RecoveryAction.RESUME : RecoveryAction.RETRY;
        boolean retry = action == RecoveryAction.RETRY;
        turn.lease(
                connection.id(),
                connection.workspace(),
                Math.max(turn.attempt(), held.attempt()) + (retry ? 1 : 0),
                Math.max(turn.fence(), held.fence()) + (retry ? 1 : 0));
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
