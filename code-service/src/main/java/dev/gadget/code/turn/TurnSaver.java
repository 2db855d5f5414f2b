package dev.gadget.code.turn;

import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.store.DurabilityChanged;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * Writes what turns gained to the store, all turns that have something together, and only while there is something. While the store is
 * away it tries again and again, because nothing may be acknowledged before it is stored; what comes meanwhile rides along.
 */
@ApplicationScoped
public class TurnSaver {
    private static final Logger LOG = Logger.getLogger(TurnSaver.class);
    /** What comes within a moment, as a tool's call, start and end do, or from many drones at once, is one write. */
    private static final Duration GATHERS = Duration.ofMillis(40);

    private static final int MOST_AT_ONCE = 128;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(3);

    private final TurnArchive turns;
    private final SessionArchive sessions;
    private final TurnStored listeners;
    private final Event<DurabilityChanged> durability;
    private final Event<SessionUpdated> updated;
    private final Event<PromptTaken> taken;
    private final Set<LiveTurn> stuck = ConcurrentHashMap.newKeySet();
    private final LongAdder writes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final Set<LiveTurn> waiting = new LinkedHashSet<>();
    private boolean running;

    TurnSaver(
            TurnArchive turns,
            SessionArchive sessions,
            TurnStored listeners,
            Event<DurabilityChanged> durability,
            Event<SessionUpdated> updated,
            Event<PromptTaken> taken) {
        this.turns = turns;
        this.sessions = sessions;
        this.listeners = listeners;
        this.durability = durability;
        this.updated = updated;
        this.taken = taken;
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

    /** How many turns said something that the store did not take yet. */
    public int unsaved() {
        return stuck.size();
    }

    /** How many times something of turns was written, of one or of several together. */
    public long writes() {
        return writes.sum();
    }

    /** How many times that failed, or what had to follow it, and was or will be tried again. */
    public long failures() {
        return failures.sum();
    }

    /** Writes until the turn has nothing to write; called by the turn when nobody writes it yet. */
    void save(LiveTurn turn) {
        boolean start;
        synchronized (waiting) {
            waiting.add(turn);
            start = !running;
            running = true;
        }
        if (start) {
            Thread.ofVirtual().name("turn-saver").start(this::run);
        }
    }

    /** Whatever comes, an {@link Error} too: were this thread to end early, nothing of anybody would be stored again. */
    private void run() {
        for (boolean over = false; !over; ) {
            try {
                writeAll();
                over = true;
            } catch (Throwable failure) {
                LOG.error("the thread that stores turns failed, and goes on", failure);
                pause(FIRST_PAUSE);
            }
        }
    }

    private void writeAll() {
        Duration pause = FIRST_PAUSE;
        for (Map<LiveTurn, LiveTurn.Save> batch = next(); !batch.isEmpty(); batch = next()) {
            if (write(batch)) {
                pause = FIRST_PAUSE;
            } else {
                pause(pause);
                pause = longer(pause);
            }
        }
    }

    /** What has nothing more to write leaves by itself. */
    private void goOnWith(Collection<LiveTurn> turns) {
        synchronized (waiting) {
            waiting.addAll(turns);
        }
    }

    /** What is to be written together; empty when nothing waits and this thread is over. */
    private Map<LiveTurn, LiveTurn.Save> next() {
        for (boolean gathered = false; ; gathered = true) {
            List<LiveTurn> turns = taken(gathered);
            if (turns.isEmpty()) {
                return Map.of();
            }
            Map<LiveTurn, LiveTurn.Save> batch = new LinkedHashMap<>();
            for (LiveTurn turn : turns) {
                try {
                    LiveTurn.Save save = turn.takeSave();
                    if (save == null) {
                        unstuck(turn);
                    } else {
                        batch.put(turn, save);
                    }
                } catch (Throwable failure) {
                    goOnWith(List.of(turn));
                    stuck(turn, failure);
                    pause(FIRST_PAUSE);
                }
            }
            if (!batch.isEmpty()) {
                return batch;
            }
        }
    }

    private List<LiveTurn> taken(boolean again) {
        boolean gathers;
        synchronized (waiting) {
            waiting.removeIf(turn -> {
                boolean rests = turn.restsNow();
                if (rests) {
                    unstuck(turn);
                }
                return rests;
            });
            if (waiting.isEmpty()) {
                running = false;
                return List.of();
            }
            gathers = !again && waiting.stream().noneMatch(turn -> turn.status().ended());
        }
        if (gathers) {
            pause(GATHERS);
        }
        synchronized (waiting) {
            List<LiveTurn> turns = waiting.stream().limit(MOST_AT_ONCE).toList();
            turns.forEach(waiting::remove);
            return turns;
        }
    }

    /**
     * All at once; one by one when there is something wrong with one, so that the others do not suffer for it. False when something of it
     * is to be tried again in a while.
     */
    private boolean write(Map<LiveTurn, LiveTurn.Save> batch) {
        boolean wrote;
        try {
            wrote = wrote(batch);
        } catch (StoreException unavailable) {
            failures.increment();
            batch.forEach((turn, save) -> again(turn, save, unavailable));
            return false;
        }
        if (!wrote) {
            batch.forEach(
                    (turn, save) -> Thread.ofVirtual().name("save-" + turn.id()).start(() -> drain(turn, save)));
            return true;
        }
        boolean all = true;
        for (Map.Entry<LiveTurn, LiveTurn.Save> each : batch.entrySet()) {
            try {
                done(each.getKey(), each.getValue());
                goOnWith(List.of(each.getKey()));
            } catch (Throwable failure) {
                failures.increment();
                again(each.getKey(), each.getValue(), failure);
                all = false;
            }
        }
        return all;
    }

    private void again(LiveTurn turn, LiveTurn.Save save, Throwable failure) {
        turn.notStored(save);
        goOnWith(List.of(turn));
        stuck(turn, failure);
    }

    private boolean wrote(Map<LiveTurn, LiveTurn.Save> batch) {
        Map<TurnRecord, List<StoredBlock>> changed = new LinkedHashMap<>();
        batch.values().forEach(save -> changed.put(save.record(), save.blocks()));
        try {
            batch.forEach(this::tellTaken);
            boolean wrote = turns.putAll(changed);
            if (wrote) {
                writes.increment();
            }
            return wrote;
        } catch (StoreException failure) {
            if (failure.code() == FailureCode.STORE_UNAVAILABLE) {
                throw failure;
            }
            return false;
        } catch (RuntimeException | Error failure) {
            LOG.error("turns cannot be stored together, and are one by one", failure);
            return false;
        }
    }

    /** Before it is stored that the turn has them: until then their drone says it again, so that a crash leaves no prompt in two places. */
    private void tellTaken(LiveTurn turn, LiveTurn.Save save) {
        save.taken()
                .forEach(one -> taken.fire(new PromptTaken(turn.session(), one.promptId(), turn.id(), one.content())));
    }

    private void drain(LiveTurn turn, LiveTurn.Save first) {
        Duration pause = FIRST_PAUSE;
        for (LiveTurn.Save save = first; save != null; save = turn.takeSave()) {
            try {
                write(turn, save);
                pause = FIRST_PAUSE;
            } catch (Throwable failure) {
                failures.increment();
                if (!settled(turn, save, failure)) {
                    turn.notStored(save);
                    stuck(turn, failure);
                    pause(pause);
                    pause = longer(pause);
                }
            }
        }
        unstuck(turn);
    }

    /** Whether there is nothing to wait for, because the store will never take what was refused, and the turn goes on without it. */
    private boolean settled(LiveTurn turn, LiveTurn.Save save, Throwable failure) {
        if (!(failure instanceof StoreException refused) || !refused.isForGood()) {
            return false;
        }
        try {
            Set<Integer> blocks = refusedBlocks(turn, save);
            LOG.errorf("the store takes blocks %s of turn %s never: %s", blocks, turn.id(), refused.getMessage());
            if (!turn.refused(save, blocks, refused)) {
                LOG.errorf("turn %s is given up: the store takes nothing of it", turn.id());
                sessions.release(turn.session(), turn.id());
                turn.abandon();
                listeners.stored(turn, turn.durableSeq(), true);
            }
            return true;
        } catch (StoreException away) {
            return false;
        }
    }

    private Set<Integer> refusedBlocks(LiveTurn turn, LiveTurn.Save save) {
        Set<Integer> refused = new LinkedHashSet<>();
        for (StoredBlock block : save.blocks()) {
            try {
                turns.putBlocks(turn.id(), List.of(block));
            } catch (StoreException failure) {
                if (!failure.isForGood()) {
                    throw failure;
                }
                refused.add(block.block().index());
            }
        }
        return refused;
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** Blocks first: a record never counts what is not there. */
    private void write(LiveTurn turn, LiveTurn.Save save) {
        tellTaken(turn, save);
        turns.putBlocks(turn.id(), save.blocks());
        try {
            turns.replace(save.record());
            writes.increment();
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
        writes.increment();
        done(turn, new LiveTurn.Save(save.blocks(), again, save.taken()));
    }

    private void done(LiveTurn turn, LiveTurn.Save save) {
        turn.stored(save);
        TurnRecord stored = save.record();
        // One that was interrupted may have been taken up again meanwhile.
        boolean ended = stored.status().ended() && turn.status().ended();
        if (ended) {
            LOG.debugf("end of turn is stored turnId=%s entries=%d", turn.id(), stored.durableSeq());
            sessions.release(stored.sessionId(), turn.id(), howItEnded(stored));
        }
        listeners.stored(turn, stored.durableSeq(), ended);
        if (turn.isNews(stored.status())) {
            updated.fire(new SessionUpdated(stored.ownerId(), stored.sessionId()));
        }
        // Not before: what fails above is done again, and stands as not stored meanwhile.
        unstuck(turn);
    }

    private void stuck(LiveTurn turn, Throwable failure) {
        boolean first = stuck.isEmpty();
        if (stuck.add(turn)) {
            Throwable trace = failure instanceof StoreException ? null : failure;
            LOG.warnf(
                    trace,
                    "turn %s cannot be stored and is kept in memory until it can: %s",
                    turn.id(),
                    failure.getMessage());
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

    private static void pause(Duration pause) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            // Nobody interrupts this thread: what waits has to be written.
            LOG.warn("the thread that stores turns was interrupted");
        }
    }

    /** What its session keeps of an ended turn. */
    static ChatSession.LastTurn howItEnded(TurnRecord turn) {
        Instant end = turn.finishedAt();
        return new ChatSession.LastTurn(turn.status(), end == null ? turn.createdAt() : end);
    }
}
