package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.Cursor;
import dev.gadget.model.turn.Turn;
import dev.gadget.model.turn.TurnStatus;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads turns: from memory while they are there, else from the store. */
@ApplicationScoped
public class TurnLibrary implements Turns {
    /** A part of a session that has so many blocks is long enough to be looked at. */
    private static final int ENOUGH_BLOCKS = 1_000;
    /** The largest turns are a few of these. */
    private static final int LARGE_PIECE_CHARS = 4 << 20;

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
        checkOwned(owner, session);
        return archive.ofSession(session).stream().map(this::asItStands).toList();
    }

    @Override
    public Slice<Turn> latest(UserId owner, SessionId session, Optional<String> cursor, int limit) {
        checkOwned(owner, session);
        TurnRecord before = cursor.map(id -> placeOf(session, id)).orElse(null);
        List<TurnRecord> stored = archive.latest(session, before, limit + 1);
        List<Turn> turns = new ArrayList<>();
        int blocks = 0;
        for (TurnRecord record : stored.subList(0, Math.min(limit, stored.size()))) {
            if (blocks >= ENOUGH_BLOCKS) {
                break;
            }
            Turn turn = asItStands(record);
            turns.add(turn);
            blocks += turn.blocks().size();
        }
        return new Slice<>(
                turns,
                turns.size() < stored.size() ? Optional.of(turns.getLast().id().value()) : Optional.empty());
    }

    private void checkOwned(UserId owner, SessionId session) {
        if (sessions.find(owner, session).isEmpty()) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no session " + session + ".");
        }
    }

    private TurnRecord placeOf(SessionId session, String cursor) {
        try {
            return archive.find(new TurnId(cursor))
                    .filter(record -> record.sessionId().equals(session))
                    .orElseThrow(TurnLibrary::noPlace);
        } catch (IllegalArgumentException _) {
            throw noPlace();
        }
    }

    private static RefusedException noPlace() {
        return new RefusedException(
                FailureCode.INVALID_FIELD,
                "The cursor is not one that the turns of this session gave out. Start without one.",
                "cursor");
    }

    private Turn asItStands(TurnRecord stored) {
        return live.find(stored.id())
                .map(LiveTurn::toTurn)
                .orElseGet(() -> new TurnDocument(stored, archive.blocks(stored.id())).toTurn());
    }

    @Override
    public TurnStatus statusOfRunning(TurnId id) {
        // It is in memory, but for the moment in which it is about to be.
        return live.find(id).map(LiveTurn::status).orElse(TurnStatus.QUEUED);
    }

    @Override
    public TurnFeed feed(UserId owner, TurnId id) {
        Optional<LiveTurn> running = live.keep(id);
        if (running.isPresent()) {
            return LiveTurns.owned(running, owner, id);
        }
        TurnRecord stored = stored(owner, id);
        return stored.status().ended() && !stored.mayGoOn()
                ? new StoredTurn(stored, new TurnDocument(stored, archive.blocks(id)), TurnReading.PIECE_CHARS)
                : live.loadOwned(owner, id);
    }

    private TurnRecord stored(UserId owner, TurnId id) {
        return archive.find(id)
                .filter(record -> record.ownerId().equals(owner))
                .orElseThrow(() -> LiveTurns.unknown(id));
    }

    /** A turn that has ended: it never changes, so its epoch is its stored version. */
    private record StoredTurn(TurnRecord record, TurnDocument document, int most) implements TurnFeed {
        @Override
        public TurnFeed inLargePieces() {
            return new StoredTurn(record, document, LARGE_PIECE_CHARS);
        }

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
            return TurnReading.since(document, "v" + record.version(), cursor, Instant.now(), most);
        }

        @Override
        public Watch onChange(Runnable wake) {
            return () -> {};
        }
    }
}
