package dev.gadget.drone.link;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * For how long a turn was worked on, in a file beside its journal, which drones of before did not write. It survives the death of the
 * process; nobody waits until it would survive the machine's, which costs a limit of time its sharpness only.
 */
final class WorkedTime implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WorkedTime.class);

    private final Path path;
    private final Duration before;
    private @Nullable RandomAccessFile file;
    private boolean closed;

    private WorkedTime(Path path, Duration before) {
        this.path = path;
        this.before = before;
    }

    static Path besides(Path journal) {
        return journal.resolveSibling(journal.getFileName() + ".worked");
    }

    /** What is in the file; nothing when there is none. */
    static WorkedTime of(Path journal) throws IOException {
        Path path = besides(journal);
        if (!Files.exists(path)) {
            return new WorkedTime(path, Duration.ZERO);
        }
        try (var known = new RandomAccessFile(path.toFile(), "r")) {
            long millis = known.length() < Long.BYTES ? 0 : known.readLong();
            return new WorkedTime(path, Duration.ofMillis(Math.max(0, millis)));
        }
    }

    Duration before() {
        return before;
    }

    synchronized void keep(Duration soFar) {
        if (closed) {
            return;
        }
        try {
            RandomAccessFile kept = opened();
            kept.seek(0);
            kept.writeLong(soFar.toMillis());
        } catch (IOException e) {
            LOG.debugf("the time of the turn is not kept: %s", e.getMessage());
        }
    }

    private RandomAccessFile opened() throws IOException {
        RandomAccessFile open = file;
        if (open == null) {
            if (!Files.exists(path)) {
                Files.createFile(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            open = new RandomAccessFile(path.toFile(), "rw");
            file = open;
        }
        return open;
    }

    /** What comes after this is not kept: the file may be gone already. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        if (file != null) {
            file.close();
        }
    }
}
