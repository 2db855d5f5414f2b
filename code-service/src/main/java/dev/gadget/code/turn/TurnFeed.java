package dev.gadget.code.turn;

import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.turn.Cursor;
import org.jspecify.annotations.Nullable;

/** One turn as its readers see it: a document that grows, read from a cursor on, however many readers there are. */
public interface TurnFeed {
    TurnId id();

    SessionId session();

    /**
     * What a reader at this cursor lacks; never blocks. Without a cursor, or with one that is not known here (another life of the
     * document, or ahead of it), it begins with a snapshot.
     */
    TurnUpdate since(@Nullable Cursor cursor);

    /** The same for a reader who asks for each piece with a request of its own, which costs as much as reading all of a stored turn. */
    default TurnFeed inLargePieces() {
        return this;
    }

    /** Has {@code wake} run after every change, on the thread that made it: it has to return at once and never blocks. */
    Watch onChange(Runnable wake);

    /** Whether a drone was offered it and has not answered yet. */
    default boolean offered() {
        return false;
    }

    /** Whether it asks the person what nobody answered. */
    default boolean asks() {
        return false;
    }

    /** Whether the turn was deleted: nothing follows, and a reader does not have to come back. */
    default boolean gone() {
        return false;
    }

    /** Ends a watch. */
    @FunctionalInterface
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
