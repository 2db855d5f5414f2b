package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.session.ChatSession;
import dev.gadget.code.session.SessionUpdated;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.BusyPolicy;
import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import dev.gadget.model.OneLine;
import dev.gadget.model.SessionId;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Prompts that wait for their session or for a drone: stored like every turn, and begun in their order, one a session at a time. */
@ApplicationScoped
public class TurnQueue {
    private static final Logger LOG = Logger.getLogger(TurnQueue.class);
    private static final int MOST_PER_SESSION = 20;
    private static final int MOST_TAKEN = 1_000;
    private static final Duration LOOKS_AGAIN = Duration.ofMillis(50);
    private static final Comparator<LiveTurn> ORDER = Comparator.comparing(LiveTurn::createdAt)
            .thenComparing(turn -> turn.id().value());

    private final SessionArchive sessions;
    private final TurnArchive archive;
    private final LiveTurns live;
    private final WorkOrders orders;
    private final TurnStart starts;
    private final Event<SessionUpdated> updated;
    private final Set<SessionId> starting = ConcurrentHashMap.newKeySet();
    private final Set<TurnId> taken = Collections.synchronizedSet(new LinkedHashSet<>());

    TurnQueue(
            SessionArchive sessions,
            TurnArchive archive,
            LiveTurns live,
            WorkOrders orders,
            TurnStart starts,
            Event<SessionUpdated> updated) {
        this.sessions = sessions;
        this.archive = archive;
        this.live = live;
        this.orders = orders;
        this.starts = starts;
        this.updated = updated;
    }

    /** Whether it waited, and is a part of another turn by now; as far back as anybody asks again. */
    boolean isTaken(TurnId id) {
        return taken.contains(id);
    }

    boolean waits(SessionId session) {
        return !waiting(session).isEmpty();
    }

    /** Those that wait in a session, in the order in which they begin. */
    private List<LiveTurn> waiting(SessionId session) {
        return live.all().stream()
                .filter(turn -> turn.session().equals(session) && turn.waits())
                .sorted(ORDER)
                .toList();
    }

    /** Keeps the prompt until its turn comes. */
    void add(ChatSession session, TurnId id, String prompt) {
        if (waiting(session.id()).size() >= MOST_PER_SESSION) {
            throw new RefusedException(
                    FailureCode.QUOTA_REACHED,
                    MOST_PER_SESSION + " prompts wait in this session already. Remove some, or wait for them.");
        }
        TurnRecord record = TurnStart.last(
                archive,
                TurnStart.fresh(session, id, prompt, orders.provider(session).name()));
        archive.insert(record);
        live.begin(record);
        updated.fire(new SessionUpdated(session.ownerId(), session.id()));
        // What it waits for may be over by now.
        look(session.ownerId());
    }

    /** A drone that is busy after all did not take it: it waits again where its session lets prompts wait, else it ends. */
    public void notTaken(LiveTurn turn, Failure why) {
        Thread.ofVirtual().name("queue-" + turn.id()).start(() -> {
            while (!turn.dropped() && !turn.status().ended()) {
                try {
                    if (waitAgainOrEnd(turn, why)) {
                        return;
                    }
                    TurnStart.pause(LOOKS_AGAIN);
                } catch (StoreException away) {
                    TurnStart.pause(away);
                }
            }
        });
    }

    /** False while somebody begins a turn of that session. */
    private boolean waitAgainOrEnd(LiveTurn turn, Failure why) {
        boolean maySo = sessions.find(turn.owner(), turn.session())
                .filter(session -> session.whenBusy() == BusyPolicy.QUEUE)
                .isPresent();
        if (!maySo) {
            turn.end(TurnStatus.FAILED, why);
            return true;
        }
        if (!starting.add(turn.session())) {
            return false;
        }
        try {
            // In this order no later prompt comes before it.
            turn.waitAgain();
            sessions.release(turn.session(), turn.id());
        } finally {
            starting.remove(turn.session());
        }
        LOG.infof("turn %s waits again: %s", turn.id(), OneLine.of(why.message()));
        updated.fire(new SessionUpdated(turn.owner(), turn.session()));
        return true;
    }

    /** Moves one that waits in front of another, or to the end; false when it waits no more. */
    synchronized boolean move(LiveTurn turn, @Nullable TurnId before) {
        List<LiveTurn> old = waiting(turn.session());
        if (!old.contains(turn)) {
            return false;
        }
        List<LiveTurn> order = new ArrayList<>(old);
        order.remove(turn);
        order.add(before == null ? order.size() : placeOf(before, turn, order), turn);
        // They share the places that they had, so that what came before and what comes later stays where it is.
        Instant last = Instant.MIN;
        for (int i = 0; i < order.size(); i++) {
            Instant place = old.get(i).createdAt();
            last = place.isAfter(last) ? place : last.plusMillis(1);
            order.get(i).moveTo(last);
        }
        updated.fire(new SessionUpdated(turn.owner(), turn.session()));
        return true;
    }

    private static int placeOf(TurnId before, LiveTurn turn, List<LiveTurn> others) {
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i).id().equals(before)) {
                return i;
            }
        }
        throw new RefusedException(
                FailureCode.INVALID_FIELD,
                "The prompt " + before + " does not wait in the session of " + turn.id()
                        + ". Name one that waits there, or none to move to the end.",
                "before");
    }

    /** Takes back one that waits; false when it waits no more. */
    boolean remove(LiveTurn turn) {
        if (!turn.withdraw()) {
            return false;
        }
        live.forget(turn);
        archive.delete(turn.id());
        // It may just have been about to begin.
        sessions.release(turn.session(), turn.id());
        updated.fire(new SessionUpdated(turn.owner(), turn.session()));
        return true;
    }

    /** It is a part of the turn that runs; one that was given other words since is another one, and goes on waiting. */
    void onTaken(@Observes PromptTaken prompt) {
        // Whoever waits is in memory: what a drone says costs no look into the store.
        live.find(prompt.prompt())
                .filter(turn -> turn.session().equals(prompt.session())
                        && turn.prompt().equals(prompt.words())
                        && turn.withdraw(prompt.into()))
                .ifPresent(turn -> {
                    remember(turn.id());
                    // Not waited for: what is written of it is written by who tells of this.
                    live.abandon(turn);
                    archive.delete(turn.id());
                    updated.fire(new SessionUpdated(turn.owner(), turn.session()));
                });
    }

    private void remember(TurnId id) {
        synchronized (taken) {
            taken.add(id);
            if (taken.size() > MOST_TAKEN) {
                taken.remove(taken.iterator().next());
            }
        }
    }

    /** A drone of this person may be free. */
    public void look(UserId owner) {
        if (live.all().stream().anyMatch(turn -> turn.owner().equals(owner) && turn.waits())) {
            Thread.ofVirtual()
                    .name("queue-" + owner)
                    .start(() -> beginNext(turn -> turn.owner().equals(owner)));
        }
    }

    /** What no news told of: a store that was away, a service that was started again. */
    @Scheduled(every = "2s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void look() {
        beginNext(_ -> true);
    }

    private void beginNext(Predicate<LiveTurn> wanted) {
        Map<SessionId, LiveTurn> next = new LinkedHashMap<>();
        live.all().stream()
                .filter(wanted.and(LiveTurn::waits))
                .sorted(ORDER)
                .forEach(turn -> next.putIfAbsent(turn.session(), turn));
        next.values().forEach(this::begin);
    }

    private void begin(LiveTurn turn) {
        if (!starting.add(turn.session())) {
            return;
        }
        try {
            starts.begin(turn);
        } catch (StoreException unavailable) {
            LOG.debugf("turn %s goes on waiting: %s", turn.id(), unavailable.getMessage());
        } catch (RuntimeException failure) {
            // It must not hold up those of others.
            LOG.errorf(failure, "turn %s could not be begun", turn.id());
        } finally {
            starting.remove(turn.session());
        }
    }
}
