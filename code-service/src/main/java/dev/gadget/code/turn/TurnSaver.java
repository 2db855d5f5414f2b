package dev.gadget.code.turn;

import dev.gadget.code.store.DurabilityChanged;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Writes what turns gained to the store, one thread a turn and only while there is something to write. While the store is away it
 * tries again and again, because nothing may be acknowledged before it is stored; what comes meanwhile rides along.
 */
@ApplicationScoped
public class TurnSaver {
    private static final Logger LOG = Logger.getLogger(TurnSaver.class);
    /** What comes within a moment, as a tool's call, start and end do, is one write. */
    private static final Duration GATHERS = Duration.ofMillis(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private final TurnArchive turns;
    private final SessionArchive sessions;
    private final TurnStored listeners;
    private final Event<DurabilityChanged> durability;
    private final Set<LiveTurn> stuck = ConcurrentHashMap.newKeySet();

    TurnSaver(TurnArchive turns, SessionArchive sessions, TurnStored listeners, Event<DurabilityChanged> durability) {
        this.turns = turns;
        this.sessions = sessions;
        this.listeners = listeners;
        this.durability = durability;
    }

    /** Hears of what became durable. */
    public interface TurnStored {
        /** All entries of the turn up to {@code durableSeq} are stored; with {@code ended} its end is, too, and its session is free. */
        void stored(LiveTurn turn, long durableSeq, boolean ended);
    }

    /** Whether everything that turns said is stored, apart from what is being written this moment. */
    public boolean saved() {
        return stuck.isEmpty();
    }

    /** Writes until the turn has nothing to write; called by the turn, which sees to it that one thread does. */
    void save(LiveTurn turn) {
        Thread.ofVirtual().name("save-" + turn.id()).start(() -> drain(turn));
    }

    private void drain(LiveTurn turn) {
        if (!turn.status().ended() && !paused(GATHERS)) {
            return;
        }
        Duration pause = FIRST_PAUSE;
        for (LiveTurn.Save save = turn.takeSave(); save != null; save = turn.takeSave()) {
            try {
                write(turn, save);
                unstuck(turn);
                pause = FIRST_PAUSE;
            } catch (StoreException | IllegalStateException failure) {
                turn.notStored(save);
                stuck(turn, failure);
                if (!paused(pause)) {
                    return;
                }
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
        unstuck(turn);
    }

    /** Blocks first: a record never counts what is not there. */
    private void write(LiveTurn turn, LiveTurn.Save save) {
        turns.putBlocks(turn.id(), save.blocks());
        try {
            turns.replace(save.record());
        } catch (StoreException refused) {
            if (refused.code() != FailureCode.CHANGED_MEANWHILE) {
                throw refused;
            }
            writeOver(turn, save, refused);
            return;
        }
        done(turn, save);
    }

    /** An answer of the store that got lost makes the next write look like a conflict; a higher fence is a real one. */
    private void writeOver(LiveTurn turn, LiveTurn.Save save, StoreException refused) {
        Optional<TurnRecord> found = turns.find(turn.id());
        if (found.isEmpty() || found.get().fence() > save.record().fence()) {
            LOG.warnf("turn %s is not ours any more: %s", turn.id(), refused.getMessage());
            turn.abandon();
            return;
        }
        long version = found.get().version();
        TurnRecord again = save.record().stored(save.record().durableSeq(), version);
        turns.replace(again);
        done(turn, new LiveTurn.Save(save.blocks(), again));
    }

    private void done(LiveTurn turn, LiveTurn.Save save) {
        turn.stored(save);
        boolean ended = save.record().status().ended();
        if (ended) {
            sessions.release(save.record().sessionId(), turn.id());
        }
        listeners.stored(turn, save.record().durableSeq(), ended);
    }

    private void stuck(LiveTurn turn, RuntimeException failure) {
        boolean first = stuck.isEmpty();
        if (stuck.add(turn)) {
            LOG.warnf(
                    "turn %s cannot be stored and is kept in memory until it can: %s", turn.id(), failure.getMessage());
        }
        if (first) {
            durability.fire(new DurabilityChanged(false));
        }
    }

    private void unstuck(LiveTurn turn) {
        if (stuck.remove(turn) && stuck.isEmpty()) {
            LOG.info("everything is stored again");
            durability.fire(new DurabilityChanged(true));
        }
    }

    private static boolean paused(Duration pause) {
        try {
            Thread.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
