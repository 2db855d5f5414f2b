package dev.gadget.code.turn;

import dev.gadget.code.store.Slice;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import java.util.List;
import java.util.Optional;

/** The turns of a person, live or stored. Another person's turn is not found. Calls may wait for the store. */
public interface Turns {
    /** The turn as it stands; refused as {@code not_found}. */
    Turn get(UserId owner, TurnId turn);

    /** The turns of a session of this person, oldest first, the running one as it stands. */
    List<Turn> ofSession(UserId owner, SessionId session);

    /**
     * Turns of a session of this person, newest first: the latest, or those before {@code cursor}. At most so many, and fewer when they
     * have many blocks.
     */
    Slice<Turn> latest(UserId owner, SessionId session, Optional<String> cursor, int limit);

    /** How far the turn is that holds its session's lock. */
    TurnStatus statusOfRunning(TurnId turn);

    /** The turn to read from; refused as {@code not_found}. */
    TurnFeed feed(UserId owner, TurnId turn);
}
