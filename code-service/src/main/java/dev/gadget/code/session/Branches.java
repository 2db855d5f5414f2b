package dev.gadget.code.session;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.code.turn.StoredBlock;
import dev.gadget.code.turn.TurnDocument;
import dev.gadget.code.turn.TurnRecord;
import dev.gadget.model.FailureCode;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Branches of sessions: a session goes on from before one of its turns as another one, and stays as it is. */
@ApplicationScoped
class Branches {
    private static final int READ_AT_ONCE = 20;
    private static final int WRITTEN_AT_ONCE = 100;

    private final Sessions sessions;
    private final SessionArchive archive;
    private final TurnArchive turns;
    private final Event<SessionUpdated> updated;
    /** For whom one is made: a person makes one at a time. */
    private final Set<UserId> making = ConcurrentHashMap.newKeySet();

    private final Clock clock = Clock.tickMillis(ZoneOffset.UTC);

    Branches(Sessions sessions, SessionArchive archive, TurnArchive turns, Event<SessionUpdated> updated) {
        this.sessions = sessions;
        this.archive = archive;
        this.turns = turns;
        this.updated = updated;
    }

    /**
     * A branch that was asked for.
     *
     * @param made whether it is new, and was not there by the same key
     */
    record Branch(ChatSession session, boolean made) {}

    /**
     * Nobody finds the branch before all of it is there, and the same key gives the same one; refused as {@code not_found}, and as
     * {@code conflict} while another is made.
     */
    Branch make(UserId owner, SessionId id, TurnId before, Optional<String> key) {
        ChatSession original = sessions.get(owner, id);
        TurnRecord fork = turns.find(before)
                .filter(turn -> turn.sessionId().equals(id))
                .orElseThrow(() -> new RefusedException(
                        FailureCode.NOT_FOUND, "There is no turn " + before + " in the session " + id + "."));
        if (!making.add(owner)) {
            throw new RefusedException(
                    FailureCode.CONFLICT, "Another branch is being made for you. Try again when it is there.");
        }
        try {
            Optional<String> branchKey = key.map(words -> id + "/" + words);
            Optional<ChatSession> there = branchKey.flatMap(kept -> archive.branch(owner, kept));
            if (there.isPresent()) {
                return new Branch(there.get(), false);
            }
            branchKey.ifPresent(this::removeUnfinished);
            return new Branch(make(original, fork, branchKey.orElse(null)), true);
        } finally {
            making.remove(owner);
        }
    }

    /**
     * What a failure leaves is removed within a minute or two, or when it is tried again. It never comes back under the same id: what
     * still writes to it or removes it does nothing to another.
     */
    private ChatSession make(ChatSession original, TurnRecord fork, @Nullable String key) {
        sessions.refuseTooMany(original.ownerId());
        ChatSession branch = original.branch(SessionId.random(), key, clock.instant());
        archive.beginInsert(branch);
        copyTurns(fork, branch.id());
        // Of one that was deleted meanwhile only a part was copied.
        sessions.get(original.ownerId(), original.id());
        if (!archive.endInsert(branch.ownerId(), branch.id())) {
            // Who gave it up has removed what was copied until then.
            turns.deleteOfSession(branch.id());
            throw new RefusedException(
                    FailureCode.STORE_UNAVAILABLE,
                    "The service was started again while the branch was made. Try again.");
        }
        updated.fire(new SessionUpdated(branch.ownerId(), branch.id()));
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
                    copy(turn, branch, place);
                }
            }
            some = turns.latest(fork.sessionId(), last, READ_AT_ONCE);
        }
    }

    private void copy(TurnRecord turn, SessionId branch, Instant place) {
        TurnRecord copy = turn.copiedTo(branch, place);
        List<StoredBlock> blocks = turns.blocks(turn.id());
        List<StoredBlock> settled = List.of();
        if (copy.status() == TurnStatus.INTERRUPTED) {
            // Its drone goes on with the original, and says again what that does not cover: here nothing stays open.
            var document = new TurnDocument(copy, blocks);
            document.settle(clock.instant());
            blocks = blocks.stream()
                    .filter(block -> block.firstSeq() <= turn.durableSeq())
                    .toList();
            settled = document.takeUnsaved();
            copy = document.toRecord(copy);
        }
        // Blocks are found by their turn: after a kill in between there is one, so that they are removed with it.
        turns.insert(copy);
        putBlocks(copy.id(), blocks);
        putBlocks(copy.id(), settled);
    }

    /** A few at a time: meanwhile the store takes what others write. */
    private void putBlocks(TurnId turn, List<StoredBlock> blocks) {
        for (int at = 0; at < blocks.size(); at += WRITTEN_AT_ONCE) {
            turns.putBlocks(turn, blocks.subList(at, Math.min(at + WRITTEN_AT_ONCE, blocks.size())));
        }
    }

    void onStart(@Observes StartupEvent started) {
        removeUnfinished();
    }

    /** What nobody makes any more was nobody's yet. */
    @Scheduled(every = "1m", delayed = "1m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void removeUnfinished() {
        for (ChatSession branch : archive.beingInserted()) {
            if (!making.contains(branch.ownerId())) {
                removeUnfinished(branch.id());
            }
        }
    }

    /** While its owner makes one here, only what was left of an earlier one has the key. */
    private void removeUnfinished(String key) {
        archive.beingInserted().stream()
                .filter(branch -> key.equals(branch.branchKey()))
                .forEach(branch -> removeUnfinished(branch.id()));
    }

    private void removeUnfinished(SessionId branch) {
        if (archive.abandonInsert(branch)) {
            turns.deleteOfSession(branch);
            archive.endDelete(branch);
        }
    }
}
