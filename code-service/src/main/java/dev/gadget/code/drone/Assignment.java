package dev.gadget.code.drone;

import dev.gadget.code.turn.LiveTurn;
import dev.gadget.code.turn.TurnDispatcher;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.work.WorkOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A drone and the one turn that it is kept for, from the reservation to the end. */
final class Assignment implements TurnDispatcher.Place {
    /** How often the same missing entries are asked for before the turn is given up. */
    private static final int MAX_RESENDS = 3;

    private final DroneConnections connections;
    private final UserId owner;
    private final DroneId drone;
    private final WorkspaceId workspace;
    private final SessionId session;

    private volatile @Nullable LiveTurn turn;
    private volatile @Nullable WorkOrder offered;
    private volatile Instant offeredAt = Instant.MAX;
    private Instant awaySince = Instant.MAX;
    private volatile boolean over;
    private long missing = -1;
    private int resends;
    private Instant askedAt = Instant.MIN;

    Assignment(DroneConnections connections, UserId owner, DroneId drone, WorkspaceId workspace, SessionId session) {
        this.connections = connections;
        this.owner = owner;
        this.drone = drone;
        this.workspace = workspace;
        this.session = session;
    }

    /** Now, by the clock that only goes forward: a step of the machine's time neither ends a lease nor makes it last. */
    static Instant now() {
        return Instant.EPOCH.plusNanos(System.nanoTime());
    }

    UserId owner() {
        return owner;
    }

    @Override
    public DroneId drone() {
        return drone;
    }

    @Override
    public WorkspaceId workspace() {
        return workspace;
    }

    @Nullable
    LiveTurn turn() {
        return turn;
    }

    SessionId session() {
        return session;
    }

    boolean isFor(LiveTurn other) {
        return turn == other;
    }

    boolean isFor(WorkOrderId order) {
        LiveTurn current = turn;
        return current != null && current.workOrder().value().equals(order.value());
    }

    /** The drone works on this turn already. */
    void working(LiveTurn current) {
        turn = current;
        accepted();
        back();
    }

    /** It is on its way to the drone, which takes a while on a slow line. */
    synchronized void offered(LiveTurn current, @Nullable WorkOrder order, Instant now) {
        turn = current;
        offered = order;
        offeredAt = now.plus(TurnDispatcher.ON_ITS_WAY);
        current.offered(true);
    }

    /** All of the offer is out: from now on its answer is waited for. */
    synchronized void told(WorkOrder order, Instant now) {
        if (offered == order) {
            offeredAt = now;
        }
    }

    synchronized void accepted() {
        offered = null;
        offeredAt = Instant.MAX;
        LiveTurn current = turn;
        if (current != null) {
            current.offered(false);
        }
    }

    /** The order that the drone has not accepted yet. */
    @Nullable
    WorkOrder openOffer() {
        return offered;
    }

    boolean offerOlderThan(Instant moment) {
        return offeredAt.isBefore(moment);
    }

    synchronized void away(Instant since) {
        awaySince = since;
    }

    synchronized void back() {
        awaySince = Instant.MAX;
    }

    /** Does it when the drone has been away since before this moment; the drone does not come back meanwhile. */
    synchronized void ifAwayLongerThan(Instant moment, Runnable action) {
        if (awaySince.isBefore(moment)) {
            action.run();
        }
    }

    /** What to do about entries that are missing. */
    enum Resend {
        ASK,
        WAIT,
        GIVE_UP
    }

    /** Frames that follow a gap tell of it again and again: it is asked for once in two seconds, and three times at most. */
    synchronized Resend missing(long fromSeq, Instant now) {
        if (fromSeq != missing) {
            missing = fromSeq;
            resends = 0;
        } else if (now.isBefore(askedAt.plusSeconds(2))) {
            return Resend.WAIT;
        }
        resends++;
        askedAt = now;
        return resends > MAX_RESENDS ? Resend.GIVE_UP : Resend.ASK;
    }

    /** Whether the drone is free for another turn. */
    boolean over() {
        return over;
    }

    @Override
    public void close() {
        over = true;
        connections.unassign(this);
    }
}
