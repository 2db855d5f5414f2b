package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.MongoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jboss.logging.Logger;

/** A MongoDB-compatible server on loopback over one file and its journal, for one process. */
final class JournaledStore implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(JournaledStore.class);
    private static final int ACCEPTING_THREADS = 1;
    /** A write waits for the journal on its connection's thread, so the more threads, the larger the groups. */
    private static final int SERVING_THREADS = 32;

    private static final long MIN_FREE_BYTES = 64L << 20;
    private static final long CLOSE_SECONDS = 10;

    private final Path directory;
    private final StoreDirectory owned;
    private final JournaledBackend backend;
    private final MongoServer server;
    private final StoreTrouble trouble;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("store-checkpoint").daemon().factory());

    private JournaledStore(Path directory, StoreDirectory owned, JournaledBackend backend, StoreTrouble trouble) {
        this.directory = directory;
        this.owned = owned;
        this.backend = backend;
        this.trouble = trouble;
        this.server = new MongoServer(backend);
    }

    static JournaledStore open(Path directory, boolean fsync, Duration checkpointEvery) throws IOException {
        return open(directory, JournalFile.opener(fsync), fsync, checkpointEvery);
    }

    static JournaledStore open(Path directory, JournalFile.Opener journal, boolean fsync, Duration checkpointEvery)
            throws IOException {
        StoreDirectory owned = StoreDirectory.take(directory);
        try {
            var trouble = new StoreTrouble();
            MVStore file = openFile(directory.resolve("store.mv"));
            JournaledStore store = recovered(file, directory, journal, fsync, owned, trouble);
            store.listen();
            long every = checkpointEvery.toMillis();
            store.clock.scheduleWithFixedDelay(store::tick, every, every, TimeUnit.MILLISECONDS);
            return store;
        } catch (IOException | RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    private static JournaledStore recovered(
            MVStore file,
            Path directory,
            JournalFile.Opener journal,
            boolean fsync,
            StoreDirectory owned,
            StoreTrouble trouble)
            throws IOException {
        try {
            var backend = new JournaledBackend(file, fsync, trouble);
            backend.open(directory, journal);
            return new JournaledStore(directory, owned, backend, trouble);
        } catch (IOException | RuntimeException e) {
            file.closeImmediately();
            throw e;
        }
    }

    /** Nothing is ever committed but by a checkpoint: a commit in the middle of a command could not be repeated. */
    private static MVStore openFile(Path path) throws IOException {
        StoreDirectory.createPrivately(path);
        try {
            return new MVStore.Builder()
                    .fileName(path.toString())
                    .autoCommitDisabled()
                    .autoCommitBufferSize(0)
                    .open();
        } catch (MVStoreException e) {
            throw new IOException(
                    "The store's file " + path + " cannot be read (" + e.getMessage()
                            + "). Restore the data directory from a backup.",
                    e);
        }
    }

    private void listen() {
        try {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ACCEPTING_THREADS, SERVING_THREADS);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    InetSocketAddress address() {
        return server.getLocalAddress();
    }

    /** Why it takes no writes now, if so. */
    Optional<String> trouble() {
        return trouble.sentence();
    }

    Map<String, Long> fullScans() {
        return backend.scans().counts();
    }

    private void tick() {
        try {
            long free = Files.getFileStore(directory).getUsableSpace();
            if (free < MIN_FREE_BYTES) {
                trouble.raise(
                        "The disk of " + directory + " has " + (free >> 20) + " MB left, the store needs "
                                + (MIN_FREE_BYTES >> 20) + ": nothing is written until there is room.",
                        null);
            } else {
                backend.checkpoint();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The store could not make a checkpoint and tries again.", e);
        }
    }

    @Override
    public void close() {
        try {
            clock.shutdown();
            if (!clock.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("A checkpoint of the store does not end.");
            }
            server.shutdownNow();
            owned.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.warn("the lock of the store's directory cannot be released", e);
        }
    }
}
