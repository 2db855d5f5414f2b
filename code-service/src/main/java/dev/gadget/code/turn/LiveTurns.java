package dev.gadget.code.turn;

import dev.gadget.code.RefusedException;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.session.SessionDeleted;
import dev.gadget.code.store.TurnArchive;
import dev.gadget.model.DroneId;
import dev.gadget.model.FailureCode;
import dev.gadget.model.TurnId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.SystemApi.TurnCounts;
import dev.gadget.model.turn.TurnStatus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The turns in memory: those that run, and for a while those that just ended, so that late readers find their cursor known. */
@ApplicationScoped
public class LiveTurns {
    private static final Logger LOG = Logger.getLogger(LiveTurns.class);
    private static final Duration KEPT_AFTER_END = Duration.ofMinutes(2);
    private static final Duration STORED_AT_STOP = Duration.ofSeconds(5);
    /** Each is read with its blocks; what is more is for the next time. */
    private static final int MOST_TAKEN_LEAVE_OF = 50;

    /** Drones say no more by then. */
    private static final int AFTER_SOCKETS = 5_000;

    private static final Set<TurnStatus> NOT_ENDED =
            EnumSet.of(TurnStatus.QUEUED, TurnStatus.PROCESSING, TurnStatus.AWAITING_APPROVAL);

    private final ConcurrentHashMap<TurnId, LiveTurn> turns = new ConcurrentHashMap<>();
    private final TurnArchive archive;
    private final TurnSaver saver;
    private final TurnLife life;
    private final TurnLimits limits;
    // The store keeps milliseconds: what is read back has to be what was there.
    private final Clock clock = Clock.tickMillis(ZoneOffset.UTC);

    LiveTurns(TurnArchive archive, TurnSaver saver, TurnLife life, CodeConfig config) {
        this.archive = archive;
        this.saver = saver;
        this.life = life;
        this.limits = new TurnLimits(config.turn().maxChars(), config.turn().maxBlocks());
    }

    public Optional<LiveTurn> find(TurnId id) {
        return Optional.ofNullable(turns.get(id));
    }

    /** The same for who wants to do something with it soon: it stays in memory for a while, so that there are never two of it. */
    Optional<LiveTurn> keep(TurnId id) {
        return Optional.ofNullable(turns.computeIfPresent(id, (_, turn) -> {
            turn.keep();
            return turn;
        }));
    }

    public Collection<LiveTurn> all() {
        return List.copyOf(turns.values());
    }

    /** How many are in memory, by how far they are. */
    public TurnCounts counts() {
        int running = 0;
        int waiting = 0;
        int ended = 0;
        for (LiveTurn turn : all()) {
            if (turn.status().ended()) {
                ended++;
            } else if (turn.waits()) {
                waiting++;
            } else {
                running++;
            }
        }
        return new TurnCounts(running, waiting, ended);
    }

    /** A new turn, which the store has already. */
    LiveTurn begin(TurnRecord stored) {
        var turn = new LiveTurn(stored, List.of(), saver, life, limits, clock);
        life.began(stored);
        turns.put(stored.id(), turn);
        return turn;
    }

    /** The turn in memory, read from the store when it is not there yet; empty when the store does not have it either. */
    public Optional<LiveTurn> load(TurnId id) {
        Optional<LiveTurn> known = keep(id);
        if (known.isPresent()) {
            return known;
        }
        Optional<TurnRecord> stored = archive.find(id);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        List<StoredBlock> blocks = archive.blocks(id);
        return Optional.of(
                turns.computeIfAbsent(id, _ -> new LiveTurn(stored.get(), blocks, saver, life, limits, clock)));
    }

    /** The same, of this person; refused as {@code not_found} when it is another's or deleted. */
    LiveTurn loadOwned(UserId owner, TurnId id) {
        return owned(load(id), owner, id);
    }

    static LiveTurn owned(Optional<LiveTurn> turn, UserId owner, TurnId id) {
        return turn.filter(one -> one.owner().equals(owner) && !one.dropped()).orElseThrow(() -> unknown(id));
    }

    static RefusedException unknown(TurnId id) {
        return new RefusedException(FailureCode.NOT_FOUND, "There is no turn " + id + ".");
    }

    /** Takes up what had not ended when the service stopped; their drones come back by themselves. */
    public List<LiveTurn> loadUnended() {
        return archive.inStatus(NOT_ENDED).stream()
                .map(stored -> load(stored.id()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The turns, some of them when there are many, that wait for this drone to take them up again. */
    public List<LiveTurn> interrupted(DroneId drone) {
        Stream<TurnId> here = all().stream().filter(turn -> turn.awaits(drone)).map(LiveTurn::id);
        Stream<TurnId> stored =
                archive.interrupted(drone, MOST_TAKEN_LEAVE_OF).stream().map(TurnRecord::id);
        return Stream.concat(here, stored)
                .distinct()
                .map(this::load)
                .flatMap(Optional::stream)
                .filter(turn -> turn.awaits(drone))
                .toList();
    }

    void onDeleted(@Observes SessionDeleted deleted) {
        for (LiveTurn turn : all()) {
            if (turn.session().equals(deleted.session())) {
                forget(turn);
            }
        }
    }

    /** Nothing of it is written any more, and nobody finds it here. */
    void forget(LiveTurn turn) {
        try {
            turn.drop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warnf("interrupted while a write of turn %s was awaited", turn.id());
        }
        turns.remove(turn.id(), turn);
    }

    /** The same, for who may be writing it. */
    void abandon(LiveTurn turn) {
        turn.abandon();
        turns.remove(turn.id(), turn);
    }

    /** What came by now is stored before the service is gone. A store that does not answer is not waited for: drones say it again. */
    void onStop(@Observes @Priority(AFTER_SOCKETS) ShutdownEvent stopping) {
        long until = System.nanoTime() + STORED_AT_STOP.toNanos();
        try {
            for (LiveTurn turn : all()) {
                if (saver.unsaved() > 0 || !turn.awaitStored(Duration.ofNanos(until - System.nanoTime()))) {
                    LOG.info("the service stops before all that its turns have is stored: their drones say it again");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Scheduled(every = "15s")
    void evict() {
        var moment = clock.instant().minus(KEPT_AFTER_END);
        // Each at once with its removal: nobody is to get one in between.
        turns.keySet().forEach(id -> turns.computeIfPresent(id, (_, turn) -> turn.restsSince(moment) ? null : turn));
    }
}
