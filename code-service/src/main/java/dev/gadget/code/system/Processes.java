package dev.gadget.code.system;

import dev.gadget.code.store.ProcessArchive;
import dev.gadget.code.store.StoreException;
import dev.gadget.code.store.StoreState;
import dev.gadget.code.turn.LiveTurns;
import dev.gadget.code.turn.TurnSaver;
import dev.gadget.model.api.SystemApi.DoorView;
import dev.gadget.model.api.SystemApi.MemoryView;
import dev.gadget.model.api.SystemApi.ProcessView;
import dev.gadget.model.api.SystemApi.StoreKind;
import io.quarkus.arc.All;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Notes this process in the store, so that whichever process is asked knows of all that use it. */
@ApplicationScoped
class Processes {
    private static final Logger LOG = Logger.getLogger(Processes.class);
    private static final int AFTER_ALL_ELSE = 10_000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);
    /** Every five minutes. */
    private static final int NOTES_BETWEEN_SWEEPS = 20;

    private final String id = UUID.randomUUID().toString();
    private final Instant made = Instant.now();
    private final String host = hostname();
    private final ProcessArchive archive;
    private final StoreState store;
    private final LiveTurns turns;
    private final TurnSaver saver;
    private final List<Door> doors;
    private final String version;
    /** Held over calls of the store, which may not answer: taken only when nobody has it. */
    private final ReentrantLock noting = new ReentrantLock();

    private int notesToSweep;
    private boolean noted;
    private volatile boolean stopped;

    Processes(
            ProcessArchive archive,
            StoreState store,
            LiveTurns turns,
            TurnSaver saver,
            @All List<Door> doors,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.archive = archive;
        this.store = store;
        this.turns = turns;
        this.saver = saver;
        this.doors = doors;
        this.version = version;
    }

    /** This one, as it is now. */
    ServiceProcess own() {
        Runtime runtime = Runtime.getRuntime();
        return new ServiceProcess(
                id,
                version,
                host,
                ProcessHandle.current().info().startInstant().orElse(made),
                Instant.now(),
                new MemoryView(runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory()),
                turns.counts(),
                saver.saved(),
                saver.unsaved(),
                doors.stream()
                        .map(Door::inUse)
                        .sorted(Comparator.comparing(DoorView::door))
                        .toList());
    }

    /** The given one, which answers, and after it the others; without them while the store does not tell. */
    List<ProcessView> all(ServiceProcess own) {
        return Stream.concat(Stream.of(alone(own)), others(own.seenAt())).toList();
    }

    /** The given one, which answers. */
    ProcessView alone(ServiceProcess own) {
        return own.view(true, own.seenAt());
    }

    private Stream<ProcessView> others(Instant now) {
        try {
            return archive.list().stream()
                    .filter(process -> !process.id().equals(id))
                    .sorted(Comparator.comparing(ServiceProcess::startedAt))
                    .map(process -> process.view(false, now));
        } catch (StoreException e) {
            LOG.debugf("only this process is told of: %s", e.getMessage());
            return Stream.empty();
        }
    }

    @Scheduled(every = "15s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    void note() {
        if (!noting.tryLock()) {
            return;
        }
        try {
            if (!stopped) {
                noted = false;
                sweepAtTimes();
                archive.put(own());
                noted = true;
            }
        } catch (StoreException | IllegalStateException e) {
            // The latter where the start failed, and the store is closed already.
            LOG.debugf("this process is not noted now: %s", e.getMessage());
        } finally {
            noting.unlock();
        }
    }

    private void sweepAtTimes() {
        if (notesToSweep == 0) {
            archive.removeSeenBefore(forgottenBefore(Instant.now()));
            notesToSweep = NOTES_BETWEEN_SWEEPS;
        }
        notesToSweep--;
    }

    /** The embedded store is of one process: whatever stands there was one that is gone. */
    private Instant forgottenBefore(Instant now) {
        return store.kind() == StoreKind.EMBEDDED ? now : now.minus(FORGOTTEN_AFTER);
    }

    /** A store that did not take the last note, or has not yet, is not waited for: the note is shown as silent, and swept in time. */
    void onStop(@Observes @Priority(AFTER_ALL_ELSE) ShutdownEvent stopping) {
        stopped = true;
        if (!noting.tryLock()) {
            return;
        }
        try {
            if (noted) {
                archive.remove(id);
            }
        } catch (StoreException e) {
            LOG.debugf("this process is shown as silent for a while: %s", e.getMessage());
        } finally {
            noting.unlock();
        }
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }
}
