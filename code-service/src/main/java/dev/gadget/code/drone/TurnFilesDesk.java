package dev.gadget.code.drone;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.turn.TurnPlaces;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.drone.DroneCommand;
import dev.gadget.model.drone.DroneEvent;
import dev.gadget.model.drone.TurnFilesAction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** What a turn did to files: the drone that did it keeps the states before and after, and shows, undoes and redoes it. */
@ApplicationScoped
class TurnFilesDesk {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(60);

    private final TurnPlaces places;
    private final DroneConnections connections;
    private final DroneQuestions questions;
    private final Event<SessionUpdated> updated;

    TurnFilesDesk(
            TurnPlaces places, DroneConnections connections, DroneQuestions questions, Event<SessionUpdated> updated) {
        this.places = places;
        this.connections = connections;
        this.questions = questions;
        this.updated = updated;
    }

    String diff(UserId owner, TurnId turn) {
        return Objects.requireNonNullElse(
                ask(owner, turn, TurnFilesAction.DIFF, false).diff(), "");
    }

    void restore(UserId owner, TurnId turn, boolean undo, boolean force) {
        ask(owner, turn, undo ? TurnFilesAction.UNDO : TurnFilesAction.REDO, force);
        places.undone(owner, turn, undo);
        updated.fire(new SessionUpdated(owner, places.session(owner, turn)));
    }

    private DroneEvent.TurnFilesAnswered ask(UserId owner, TurnId turn, TurnFilesAction action, boolean force) {
        DroneConnection connection = connections
                .of(owner, places.workspace(owner, turn))
                .orElseThrow(
                        () -> new RefusedException(
                                FailureCode.NO_DRONE,
                                "The drone that worked on this turn is not connected. Start it there with 'gadget-drone run'."));
        var answer = questions
                .ask(
                        connection,
                        ANSWERS_WITHIN,
                        request -> List.of(new DroneCommand.RequestTurnFiles(request, turn, action, force)))
                .as(DroneEvent.TurnFilesAnswered.class);
        Failure failure = answer.failure();
        if (failure != null) {
            throw new RefusedException(failure.code(), failure.message());
        }
        return answer;
    }
}
