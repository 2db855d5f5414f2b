package dev.gadget.code.turn;

import dev.gadget.code.session.ChatSession;
import dev.gadget.model.DroneId;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.work.WorkOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The way from a turn to a drone. */
public interface TurnDispatcher {
    /** So long an offer may be on its way: longer than a large order takes on a slow line. */
    Duration ON_ITS_WAY = Duration.ofMinutes(2);

    /** A drone that has all of an offer answers it within this; so long it may be away before that. */
    Duration ANSWERS_WITHIN = Duration.ofSeconds(10);

    /**
     * Keeps a drone for the session's next turn: the one of its workspace, or any available one of the person while the session has
     * none; if there is a choice, one where nobody writes. Refused as {@code no_drone} or {@code drone_busy}.
     */
    Place reserve(ChatSession session);

    /** Whether a person writes in the session's workspace now, so that nothing should begin there by itself. */
    boolean yieldsToPerson(ChatSession session);

    /** Offers the order to the reserved drone and sees to it from then on; gives the place back by itself when the turn ends. */
    void dispatch(LiveTurn turn, WorkOrder order, Place place);

    /** Has the turn's drone stop; the turn ends as cancelled within two seconds, whether or not the drone answers. */
    void cancel(LiveTurn turn);

    /** Has the drone stop one call that runs. Refused as {@code drone_lost} while the drone is away. */
    void stopCall(LiveTurn turn, String callId);

    /** Passes a decision on that the turn keeps; false while the drone is away, which is told when it comes back. */
    boolean decide(LiveTurn turn, DroneCommand.DecideApproval decision);

    /**
     * Tells the drone of a turn that runs of a prompt that waits, for the end of the turn's present round; without words it is taken back.
     * False while the drone is away.
     */
    boolean steer(LiveTurn running, TurnId prompt, @Nullable String words);

    /** A drone kept for one turn; closing it before the dispatch gives it back. */
    interface Place extends AutoCloseable {
        DroneId drone();

        WorkspaceId workspace();

        @Override
        void close();
    }
}
