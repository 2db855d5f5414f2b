package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.WorkOrderId;
import dev.gadget.model.turn.TurnStats;
import dev.gadget.model.turn.TurnStatus;
import dev.gadget.model.turn.Usage;
import dev.gadget.model.work.ProviderSpec;
import dev.gadget.model.work.WorkOrder;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/** Begins turns: the session's lock, a drone's place, the stored turn, and the offer. */
@ApplicationScoped
class TurnStart {
    private static final Logger LOG = Logger.getLogger(TurnStart.class);
    private static final Duration STORE_RESTS = Duration.ofSeconds(1);
    private static final Duration SETTLES_WITHIN = Duration.ofSeconds(5);
    private static final Set<FailureCode> PASSES = EnumSet.of(
            FailureCode.TURN_RUNNING,
            FailureCode.DRONE_BUSY,
            FailureCode.NO_DRONE,
            FailureCode.CHANGED_MEANWHILE,
            FailureCode.STORE_UNAVAILABLE);

    private final SessionArchive sessions;
    private final TurnArchive archive;
    private final LiveTurns live;
    private final WorkOrders orders;
    private final TurnDispatcher dispatcher;
    private final Event<TurnBegan> began;
    private final Set<TurnId> beginning = ConcurrentHashMap.newKeySet();

    TurnStart(
            SessionArchive sessions,
            TurnArchive archive,
            LiveTurns live,
            WorkOrders orders,
            TurnDispatcher dispatcher,
            Event<TurnBegan> began) {
        this.sessions = sessions;
        this.archive = archive;
        this.live = live;
        this.orders = orders;
        this.dispatcher = dispatcher;
        this.began = began;
    }

    /** A service that died between storing the end of a turn and giving back its session's lock left it locked. */
    void onStart(@Observes StartupEvent started) {
        for (ChatSession session : sessions.locked()) {
            TurnId holder = Objects.requireNonNull(session.runningTurnId(), "a locked session without a holder");
            Optional<TurnRecord> turn = archive.find(holder);
            if (turn.isEmpty() || turn.get().status().ended()) {
                release(session, holder, turn);
            }
        }
    }

    private void release(ChatSession session, TurnId holder, Optional<TurnRecord> ended) {
        ended.ifPresentOrElse(
                turn -> sessions.release(session.id(), holder, TurnSaver.howItEnded(turn)),
                () -> sessions.release(session.id(), holder));
    }

    /** Begins a new turn; when that is refused nothing of it is stored. */
    void begin(ChatSession session, TurnId id, String prompt) {
        refuseWhileRunning(session, id);
        ProviderSpec provider = orders.provider(session);
        TurnDispatcher.Place place = dispatcher.reserve(session);
        try {
            begin(session, id, prompt, provider, place);
        } catch (RuntimeException failure) {
            place.close();
            throw failure;
        }
    }

    private void begin(
            ChatSession session, TurnId id, String prompt, ProviderSpec provider, TurnDispatcher.Place place) {
        // From the claim until the turn is there the lock must not pass for one that was left over.
        beginning.add(id);
        try {
            beginClaimed(session, id, prompt, provider, place);
        } finally {
            beginning.remove(id);
        }
    }

    private void beginClaimed(
            ChatSession session, TurnId id, String prompt, ProviderSpec provider, TurnDispatcher.Place place) {
        TurnRecord record = last(archive, fresh(session, id, prompt, provider.name()))
                .placed(provider.name(), session.model(), session.reasoningEffort(), place.drone(), place.workspace());
        if (!sessions.claim(session.id(), id)) {
            throw running();
        }
        LiveTurn turn;
        WorkOrder order;
        try {
            order = orders.make(placed(session, prompt, place), record, provider, place.workspace());
            archive.insert(record);
            turn = live.begin(record);
            refuseDeleted(turn);
        } catch (RuntimeException failure) {
            sessions.release(session.id(), id);
            throw failure;
        }
        dispatch(turn, order, place);
    }

    /** A session that is deleted takes along the turns that it has: one that comes after that would be nobody's. */
    private void refuseDeleted(LiveTurn turn) {
        boolean deleted;
        try {
            deleted = sessions.find(turn.owner(), turn.session()).isEmpty();
        } catch (StoreException away) {
            // It took the turn a moment ago, which is begun then.
            LOG.debugf("whether session %s is still there is not known: %s", turn.session(), away.getMessage());
            return;
        }
        if (deleted) {
            live.forget(turn);
            archive.delete(turn.id());
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no session " + turn.session() + ".");
        }
    }

    /** From here on the turn is the drone's: nothing that can fail comes before this. */
    private void dispatch(LiveTurn turn, WorkOrder order, TurnDispatcher.Place place) {
        dispatcher.dispatch(turn, order, place);
        began.fire(new TurnBegan(turn.owner(), turn.session(), turn.id()));
    }

    /** Begins a turn that waits, as its session is now; when something stands in the way it goes on waiting. */
    void begin(LiveTurn turn) {
        Optional<ChatSession> session = sessions.find(turn.owner(), turn.session());
        if (session.isEmpty()) {
            // It was submitted while its session was being deleted.
            live.forget(turn);
            archive.delete(turn.id());
            return;
        }
        if (dispatcher.yieldsToPerson(session.get())) {
            return;
        }
        try {
            refuseWhileRunning(session.get(), turn.id());
            ProviderSpec provider = orders.provider(session.get());
            TurnDispatcher.Place place = dispatcher.reserve(session.get());
            begin(turn, session.get(), provider, place);
        } catch (RefusedException refused) {
            if (!PASSES.contains(refused.code())) {
                turn.end(TurnStatus.FAILED, refused.failure());
            }
        }
    }

    private void begin(LiveTurn turn, ChatSession session, ProviderSpec provider, TurnDispatcher.Place place) {
        boolean claimed = false;
        boolean dispatched = false;
        try {
            claimed = sessions.claim(session.id(), turn.id());
            if (claimed) {
                ChatSession placed = placed(session, turn.prompt(), place);
                Optional<WorkOrder> order = ordered(turn, placed, provider, place);
                if (order.isPresent()) {
                    dispatched = true;
                    dispatch(turn, order.get(), place);
                }
            }
        } finally {
            if (!dispatched) {
                place.close();
                // What ended and is still wanted gives its session back when its end is stored.
                if (claimed && (!turn.status().ended() || turn.dropped())) {
                    sessions.release(session.id(), turn.id());
                }
            }
        }
    }

    /** Gives the turn its place for good, and the order that goes there; empty when nobody wants it any more. */
    private Optional<WorkOrder> ordered(
            LiveTurn turn, ChatSession session, ProviderSpec provider, TurnDispatcher.Place place) {
        TurnRecord record = turn.place(
                provider.name(), session.model(), session.reasoningEffort(), place.drone(), place.workspace());
        if (record == null) {
            return Optional.empty();
        }
        // A crash after the offer has to find the turn where the drone will say that it is.
        while (stored(turn)) {
            try {
                return Optional.of(orders.make(session, record, provider, place.workspace()));
            } catch (StoreException away) {
                // It has a place by now, and is not found any more among those that wait.
                pause(away);
            } catch (RefusedException gone) {
                turn.end(TurnStatus.FAILED, gone.failure());
                return Optional.empty();
            } catch (RuntimeException failure) {
                turn.end(TurnStatus.FAILED, RefusedException.INTERNAL);
                throw failure;
            }
        }
        return Optional.empty();
    }

    static void pause(StoreException away) {
        LOG.debugf("a turn is begun when the store is back: %s", away.getMessage());
        pause(STORE_RESTS);
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the store, however long it is away; false when nobody wants the turn any more. */
    private static boolean stored(LiveTurn turn) {
        try {
            boolean stored = turn.awaitStored(SETTLES_WITHIN);
            while (!stored && !turn.dropped()) {
                stored = turn.awaitStored(SETTLES_WITHIN);
            }
            return stored && !turn.dropped() && !turn.status().ended();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whoever waited for the end of a turn may submit the next one at once, though the end is just being stored. */
    private void refuseWhileRunning(ChatSession session, TurnId next) {
        TurnId holder = session.runningTurnId();
        if (holder == null || holder.equals(next)) {
            return;
        }
        if (beginning.contains(holder)) {
            throw running();
        }
        Optional<LiveTurn> turn = live.load(holder);
        if (turn.isPresent() && !turn.get().status().ended()) {
            throw running();
        }
        try {
            if (turn.isPresent() && !turn.get().awaitStored(SETTLES_WITHIN)) {
                throw new RefusedException(
                        FailureCode.STORE_UNAVAILABLE, "The last turn has ended, but the store has not taken it yet.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw running();
        }
        // Left over when the service died between storing the end and giving back the lock.
        release(session, holder, turn.map(LiveTurn::record));
    }

    static RefusedException running() {
        return new RefusedException(
                FailureCode.TURN_RUNNING,
                "A turn is running in this session. Wait for its end, cancel it, or let prompts wait:"
                        + " the session's setting whenBusy 'queue'.");
    }

    /** A session belongs to a workspace, and has a name, from its first turn on. */
    private ChatSession placed(ChatSession session, String prompt, TurnDispatcher.Place place) {
        if (session.workspaceId() != null && !session.name().equals(ChatSession.UNNAMED)) {
            return session;
        }
        ChatSession current = sessions.find(session.ownerId(), session.id())
                .orElseThrow(
                        () -> new RefusedException(FailureCode.NOT_FOUND, "There is no session " + session.id() + "."));
        ChatSession placed = current.begunIn(place.workspace(), prompt);
        try {
            sessions.replace(placed);
        } catch (StoreException changed) {
            if (changed.code() != FailureCode.CHANGED_MEANWHILE) {
                throw changed;
            }
            throw new RefusedException(
                    FailureCode.CHANGED_MEANWHILE,
                    "The session was changed at the same moment. Send the prompt again.");
        }
        return placed;
    }

    /** A turn of which nothing has happened yet, and which no drone has. */
    static TurnRecord fresh(ChatSession session, TurnId id, String prompt, String provider) {
        return new TurnRecord(
                id,
                session.id(),
                session.ownerId(),
                prompt,
                TurnStatus.QUEUED,
                provider,
                session.model(),
                session.reasoningEffort(),
                WorkOrderId.random(),
                null,
                null,
                1,
                1,
                0,
                TurnRecord.NOTHING_OPEN,
                Usage.NONE,
                List.of(),
                TurnStats.NONE,
                null,
                null,
                Instant.now().truncatedTo(ChronoUnit.MILLIS),
                null,
                0);
    }

    /** The turn behind all that its session has, also when the machine's time was put back since the last of them. */
    static TurnRecord last(TurnArchive archive, TurnRecord fresh) {
        return fresh.movedTo(after(archive.latest(fresh.sessionId(), null, 1), fresh.createdAt()));
    }

    static Instant after(List<TurnRecord> latest, Instant now) {
        if (latest.isEmpty() || now.isAfter(latest.getFirst().createdAt())) {
            return now;
        }
        return latest.getFirst().createdAt().plusMillis(1);
    }
}
