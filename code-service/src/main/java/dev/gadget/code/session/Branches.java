package dev.gadget.code.session;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** Branches of sessions: a session goes on from before one of its turns as another one, and stays as it is. */
@ApplicationScoped
class Branches {
    private static final int READ_AT_ONCE = 20;

    private final Sessions sessions;
    private final SessionArchive archive;
    private final TurnArchive turns;
    private final Event<SessionUpdated> updated;
    private final Clock clock = Clock.tickMillis(ZoneOffset.UTC);

    Branches(Sessions sessions, SessionArchive archive, TurnArchive turns, Event<SessionUpdated> updated) {
        this.sessions = sessions;
        this.archive = archive;
        this.turns = turns;
        this.updated = updated;
    }

    /** Nobody finds the branch before all of it is there; refused as {@code not_found}. */
    ChatSession make(UserId owner, SessionId id, TurnId before) {
        ChatSession original = sessions.get(owner, id);
        TurnRecord fork = turns.find(before)
                .filter(turn -> turn.sessionId().equals(id))
                .orElseThrow(() -> new RefusedException(
                        FailureCode.NOT_FOUND, "There is no turn " + before + " in the session " + id + "."));
        ChatSession branch = original.branch(SessionId.random(), clock.instant());
        archive.beginInsert(branch);
        try {
            copyTurns(fork, branch.id());
            // Of one that was deleted meanwhile only a part was copied.
            sessions.get(owner, id);
        } catch (RuntimeException failure) {
            giveUp(branch.id(), failure);
            throw failure;
        }
        // When the store fails at this, the branch is there with all its turns, or removed at the next start.
        if (!archive.endInsert(owner, branch.id())) {
            remove(branch.id());
            throw new RefusedException(
                    FailureCode.STORE_UNAVAILABLE,
                    "The service was started again while the branch was made. Try again.");
        }
        updated.fire(new SessionUpdated(owner, branch.id()));
        return branch;
    }

    /** From the latest backwards, one at a time: a session can be longer than memory. */
    private void copyTurns(TurnRecord fork, SessionId branch) {
        Instant place = fork.createdAt();
        TurnRecord last = fork;
        List<TurnRecord> some = turns.latest(fork.sessionId(), last, READ_AT_ONCE);
        while (!some.isEmpty()) {
            for (TurnRecord turn : some) {
                last = turn;
                if (turn.status().ended()) {
                    // Of two at the same place their ids say which comes first, and these are others in the branch.
                    place = turn.createdAt().isBefore(place) ? turn.createdAt() : place.minusMillis(1);
                    TurnRecord copy = turn.copiedTo(branch, place);
                    turns.insert(copy);
                    turns.putBlocks(copy.id(), turns.blocks(turn.id()));
                }
            }
            some = turns.latest(fork.sessionId(), last, READ_AT_ONCE);
        }
    }

    private void giveUp(SessionId branch, RuntimeException failure) {
        try {
            remove(branch);
        } catch (StoreException away) {
            // The next start removes it.
            failure.addSuppressed(away);
        }
    }

    /** What was being made when the service stopped was nobody's yet. */
    void onStart(@Observes StartupEvent started) {
        removeUnfinished();
    }

    void removeUnfinished() {
        archive.beingInserted().forEach(branch -> remove(branch.id()));
    }

    private void remove(SessionId branch) {
        turns.deleteOfSession(branch);
        archive.endDelete(branch);
    }
}
