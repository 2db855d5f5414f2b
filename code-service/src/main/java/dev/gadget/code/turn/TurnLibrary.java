package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads turns: from memory while they are there, else from the store. */
@ApplicationScoped
public class TurnLibrary implements Turns {
    private final LiveTurns live;
    private final TurnArchive archive;
    private final SessionArchive sessions;

    TurnLibrary(LiveTurns live, TurnArchive archive, SessionArchive sessions) {
        this.live = live;
        this.archive = archive;
        this.sessions = sessions;
    }

    @Override
    public Turn get(UserId owner, TurnId id) {
        Optional<LiveTurn> running = live.find(id);
        if (running.isPresent()) {
            return LiveTurns.owned(running, owner, id).toTurn();
        }
        TurnRecord stored = stored(owner, id);
        return new TurnDocument(stored, archive.blocks(id)).toTurn();
    }

    @Override
    public List<Turn> ofSession(UserId owner, SessionId session) {
        if (sessions.find(owner, session).isEmpty()) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no session " + session + ".");
        }
        return archive.ofSession(session).stream()
                .map(stored -> live.find(stored.id())
                        .map(LiveTurn::toTurn)
                        .orElseGet(() -> new TurnDocument(stored, archive.blocks(stored.id())).toTurn()))
                .toList();
    }

    @Override
    public TurnStatus statusOfRunning(TurnId id) {
        // It is in memory, but for the moment in which it is about to be.
        return live.find(id).map(LiveTurn::status).orElse(TurnStatus.QUEUED);
    }

    @Override
    public TurnFeed feed(UserId owner, TurnId id) {
        Optional<LiveTurn> running = live.find(id);
        if (running.isPresent()) {
            return LiveTurns.owned(running, owner, id);
        }
        TurnRecord stored = stored(owner, id);
        return stored.status().ended()
                ? new StoredTurn(stored, new TurnDocument(stored, archive.blocks(id)))
                : live.loadOwned(owner, id);
    }

    private TurnRecord stored(UserId owner, TurnId id) {
        return archive.find(id)
                .filter(record -> record.ownerId().equals(owner))
                .orElseThrow(() -> LiveTurns.unknown(id));
    }

    /** A turn that has ended: it never changes, so its epoch is its stored version. */
    private record StoredTurn(TurnRecord record, TurnDocument document) implements TurnFeed {
        @Override
        public TurnId id() {
            return record.id();
        }

        @Override
        public SessionId session() {
            return record.sessionId();
        }

        @Override
        public TurnUpdate since(@Nullable Cursor cursor) {
            return TurnReading.since(document, "v" + record.version(), cursor);
        }

        @Override
        public Watch onChange(Runnable wake) {
            return () -> {};
        }
    }
}
