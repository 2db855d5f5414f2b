package dev.gadget.code.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The journal of commands. Whoever waits first writes for everybody who has appended by then, so many small commands
 * become one write; between two checkpoints everything that was acknowledged stands here.
 */
final class CommandJournal {
    private static final String PREFIX = "journal-";
    private static final String SUFFIX = ".log";
    private static final long ROTATE_BYTES = 1 << 20;
    private static final long LONG_BYTES = 16 << 20;
    private static final long MAX_WAIT_SECONDS = 30;

    private final Path directory;
    private final JournalFile.Opener opener;
    private final StoreTrouble trouble;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition written = lock.newCondition();
    // Everything below is guarded by the lock.
    private List<JournalFile.Entry> pending = new ArrayList<>();
    private JournalFile file;
    private int ordinal;
    private long appended;
    private long durable;
    private boolean writing;
    private boolean failed;

    /** Begins a new file after those that are there; {@code last} is the number of the last command before it. */
    CommandJournal(Path directory, JournalFile.Opener opener, StoreTrouble trouble, long last) throws IOException {
        this.directory = directory;
        this.opener = opener;
        this.trouble = trouble;
        this.appended = last;
        this.durable = last;
        this.ordinal = files(directory).stream()
                        .mapToInt(CommandJournal::ordinal)
                        .max()
                        .orElse(0)
                + 1;
        this.file = begun(path(ordinal));
    }

    /** The files of a journal in their order. */
    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(path -> path.getFileName().toString().matches(PREFIX + "\\d{8}" + SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    /** Gives the command the next number; it is not safe before {@link #await} returned. */
    long append(byte[] payload) {
        lock.lock();
        try {
            appended++;
            pending.add(new JournalFile.Entry(appended, payload));
            return appended;
        } finally {
            lock.unlock();
        }
    }

    long appended() {
        lock.lock();
        try {
            return appended;
        } finally {
            lock.unlock();
        }
    }

    /** True when a checkpoint should not wait any longer. */
    boolean isLong() {
        lock.lock();
        try {
            return file.bytes() > LONG_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /** True when the last write failed, until a checkpoint made up for it. */
    boolean hasFailed() {
        lock.lock();
        try {
            return failed;
        } finally {
            lock.unlock();
        }
    }

    /** True when the next checkpoint begins a new file and deletes this one. */
    boolean wantsRotation() {
        lock.lock();
        try {
            return failed || file.bytes() > ROTATE_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true when the command is safe, false when it cannot be made so now. */
    boolean await(long number) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
            while (durable < number && !failed && left > 0) {
                if (writing) {
                    left = written.awaitNanos(left);
                } else {
                    writePending();
                }
            }
            return durable >= number;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Called and left with the lock held, which is open while the disk is busy. */
    private void writePending() {
        List<JournalFile.Entry> group = pending;
        JournalFile target = file;
        pending = new ArrayList<>();
        writing = true;
        lock.unlock();
        IOException problem = null;
        try {
            target.write(group);
        } catch (IOException e) {
            problem = e;
        } finally {
            lock.lock();
            writing = false;
            written.signalAll();
        }
        if (problem == null) {
            durable = group.getLast().number();
        } else {
            failed = true;
            trouble.raise(
                    "The store cannot write its journal in " + directory + " (" + problem.getMessage()
                            + "): nothing is acknowledged until it can.",
                    problem);
        }
    }

    /**
     * The store's file now holds every command that was appended, so they are safe without the journal, also those
     * that it could not write. Called while nothing is appended.
     */
    void checkpointed() throws IOException {
        lock.lock();
        try {
            while (writing) {
                written.awaitUninterruptibly();
            }
            pending = new ArrayList<>();
            durable = appended;
            written.signalAll();
            if (wantsRotation()) {
                failed = true;
                rotate();
                failed = false;
            }
        } finally {
            lock.unlock();
        }
    }

    private void rotate() throws IOException {
        JournalFile next = begun(path(ordinal + 1));
        JournalFile old = file;
        file = next;
        ordinal++;
        old.close();
        deleteOlder();
    }

    private JournalFile begun(Path path) throws IOException {
        JournalFile next = opener.open(path);
        try {
            next.begin();
            return next;
        } catch (IOException e) {
            next.close();
            throw e;
        }
    }

    private void deleteOlder() throws IOException {
        for (Path path : files(directory)) {
            if (ordinal(path) < ordinal) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** After the last checkpoint, when the store's file is closed: nothing in it is needed any more. */
    void closeAndDelete() throws IOException {
        lock.lock();
        try {
            file.close();
            deleteOlder();
            Files.deleteIfExists(path(ordinal));
        } finally {
            lock.unlock();
        }
    }

    private Path path(int number) {
        return directory.resolve(PREFIX + String.format(Locale.ROOT, "%08d", number) + SUFFIX);
    }

    private static int ordinal(Path path) {
        String name = path.getFileName().toString();
        return Integer.parseInt(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
    }
}
