package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import de.bwaldvogel.mongo.exception.MongoServerException;
import dev.gadget.code.store.embedded.CommandCodec.Command;
import io.netty.channel.Channel;
import io.netty.channel.local.LocalChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands: those that change something one at a time, each in the journal before it is answered. A checkpoint
 * brings the store's file up to the journal, between two commands and together with the number of the last one.
 */
final class JournaledBackend extends H2Backend {
    private static final Logger LOG = Logger.getLogger(JournaledBackend.class);
    private static final String POSITION = "position";
    private static final int BAD_VALUE = 2;
    private static final int OPERATION_FAILED = 96;
    private static final int COMPACT_BELOW_PERCENT = 50;
    private static final int COMPACT_BYTES = 4 << 20;
    private static final int COMPACT_EVERY = 30;

    private final FullScans scans;
    private final MVStore store;
    private final MVMap<String, Long> positions;
    private final boolean fsync;
    private final StoreTrouble trouble;
    private final ReentrantLock writes = new ReentrantLock();
    private @Nullable CommandJournal journal;
    private long checkpoint;
    private int checkpoints;
    private boolean closed;

    private record Outcome(
            long number, @Nullable Document reply, @Nullable RuntimeException refusal) {}

    /** The scans come first: the library's constructor opens the databases. */
    JournaledBackend(MVStore store, boolean fsync, StoreTrouble trouble) {
        this.scans = new FullScans();
        super(store);
        this.store = store;
        this.positions = store.openMap("gadget.journal");
        this.fsync = fsync;
        this.trouble = trouble;
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
        return new OrderedDatabase(name, getMvStore(), getCursorRegistry(), scans);
    }

    FullScans scans() {
        return scans;
    }

    /** Brings the store up to what its journal says, then goes on with a new journal. */
    void open(Path directory, JournalFile.Opener opener) throws IOException {
        List<Path> files = CommandJournal.files(directory);
        var channel = new LocalChannel();
        var reader = new JournalReader(positions.getOrDefault(POSITION, 0L), bytes -> repeat(channel, bytes));
        reader.read(files);
        handleClose(channel);
        if (reader.replayed() > 0 || reader.tornBytes() > 0) {
            LOG.infof(
                    "The store was not closed: repeated %d commands from its journal and dropped %d bytes that were"
                            + " never acknowledged.",
                    reader.replayed(), reader.tornBytes());
        }
        commit(reader.last());
        store.sync();
        for (Path file : files) {
            Files.delete(file);
        }
        journal = new CommandJournal(directory, opener, trouble, reader.last());
    }

    private void repeat(Channel channel, byte[] bytes) {
        Command command = CommandCodec.decode(bytes);
        try {
            super.handleCommand(channel, command.database(), command.name(), command.query());
        } catch (MVStoreException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.debugf("a command that failed fails again: %s", e.getClass().getName());
        }
    }

    @Override
    public Document handleCommand(Channel channel, String database, String name, Document query) {
        CommandRules.refusal(name, query).ifPresent(why -> {
            throw new MongoServerError(BAD_VALUE, "BadValue", why);
        });
        if (CommandRules.isRead(name)) {
            return super.handleCommand(channel, database, name, query);
        }
        byte[] payload = CommandCodec.encode(new Command(database, query));
        Outcome outcome = apply(channel, database, name, query, payload);
        if (!journal().await(outcome.number())) {
            throw refused();
        }
        if (outcome.reply() == null) {
            throw Objects.requireNonNull(outcome.refusal());
        }
        return outcome.reply();
    }

    /** A command that fails is in the journal too: what it did before it failed, it does again. */
    private Outcome apply(Channel channel, String database, String name, Document query, byte[] payload) {
        writes.lock();
        try {
            if (closed || trouble.sentence().isPresent()) {
                throw refused();
            }
            Document reply = null;
            RuntimeException refusal = null;
            try {
                reply = super.handleCommand(channel, database, name, query);
            } catch (MVStoreException | Error e) {
                trouble.raiseForGood("The store's file cannot be used any more: restart the service.", e);
                throw e;
            } catch (MongoServerException e) {
                refusal = e;
            } catch (RuntimeException e) {
                // Without its message, which may hold what was to be stored.
                LOG.warnf("The store failed on a command %s: %s at %s", name, e.getClass(), e.getStackTrace()[0]);
                refusal = e;
            }
            long number = journal().append(payload);
            if (journal().isLong()) {
                checkpoint();
            }
            return new Outcome(number, reply, refusal);
        } finally {
            writes.unlock();
        }
    }

    /** Brings the store's file up to date, when something has changed. */
    void checkpoint() {
        writes.lock();
        try {
            long last = journal().appended();
            if (closed
                    || trouble.isForGood()
                    || (last == checkpoint && !journal().hasFailed())) {
                return;
            }
            commit(last);
            if (fsync || journal().wantsRotation()) {
                store.sync();
            }
            journal().checkpointed();
            trouble.clear();
        } catch (MVStoreException e) {
            trouble.raiseForGood(
                    "The store's file cannot be written: nothing is acknowledged any more. Restart the service.", e);
        } catch (IOException e) {
            trouble.raise("The store cannot begin a new journal: nothing is acknowledged until it can.", e);
        } finally {
            writes.unlock();
        }
    }

    private void commit(long last) {
        positions.put(POSITION, last);
        store.commit();
        checkpoints++;
        if (checkpoints % COMPACT_EVERY == 0) {
            store.compact(COMPACT_BELOW_PERCENT, COMPACT_BYTES);
        }
        checkpoint = last;
    }

    /** The last checkpoint, then everything is closed. */
    @Override
    public void close() {
        writes.lock();
        try {
            if (closed) {
                return;
            }
            if (journal != null) {
                checkpoint();
            }
            closed = true;
            if (trouble.sentence().isPresent()) {
                store.closeImmediately();
                return;
            }
            store.close();
            if (journal != null) {
                journal.closeAndDelete();
            }
        } catch (IOException e) {
            LOG.warn("The journal of the store cannot be deleted; it is looked through at the next start.", e);
        } finally {
            writes.unlock();
        }
    }

    private MongoServerError refused() {
        return new MongoServerError(
                OPERATION_FAILED,
                "OperationFailed",
                trouble.sentence().orElse("The store's journal does not answer: the outcome is not known."));
    }

    private CommandJournal journal() {
        if (journal == null) {
            throw new IllegalStateException("the store is not open yet");
        }
        return journal;
    }
}
