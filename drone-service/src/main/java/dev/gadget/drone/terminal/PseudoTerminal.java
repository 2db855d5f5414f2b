package dev.gadget.drone.terminal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The side of a pseudo-terminal that a terminal emulator holds. One thread reads, others write, and no call goes to the number of a
 * file that was closed meanwhile.
 */
final class PseudoTerminal implements AutoCloseable {
    private static final int CHUNK = 16 << 10;
    private static final int WRITE_PATIENCE_MILLIS = 50;

    private final Libc libc;
    private final int master;
    private final String otherSide;
    private final MemorySegment buffer = Arena.ofAuto().allocate(CHUNK);
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private boolean closed;

    private PseudoTerminal(Libc libc, int master, String otherSide) {
        this.libc = libc;
        this.master = master;
        this.otherSide = otherSide;
    }

    static PseudoTerminal open(Libc libc, int columns, int rows) throws IOException {
        int master = libc.openTerminal();
        try {
            libc.resize(master, columns, rows);
            return new PseudoTerminal(libc, master, libc.otherSide(master));
        } catch (IOException e) {
            libc.close(master);
            throw e;
        }
    }

    /** The device that the shell opens. */
    String otherSide() {
        return otherSide;
    }

    /** What was printed, 0 for nothing within that time, -1 when nobody can print any more. */
    int read(byte[] into, int millis) {
        lock.readLock().lock();
        try {
            if (closed) {
                return -1;
            }
            if (!libc.await(master, Libc.READABLE, millis)) {
                return 0;
            }
            Libc.Result result = libc.read(master, buffer.asSlice(0, Math.min(into.length, CHUNK)));
            if (result.failed()) {
                return result.error() == Libc.AGAIN || result.error() == Libc.INTERRUPTED ? 0 : -1;
            }
            int count = (int) result.value();
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, into, 0, count);
            return count == 0 ? -1 : count;
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Writes as much as is taken within a moment; how much that was, -1 when it is over. */
    int write(byte[] bytes, int from) {
        lock.readLock().lock();
        try (Arena arena = Arena.ofConfined()) {
            if (closed) {
                return -1;
            }
            if (!libc.await(master, Libc.WRITABLE, WRITE_PATIENCE_MILLIS)) {
                return 0;
            }
            int count = Math.min(bytes.length - from, CHUNK);
            MemorySegment text = arena.allocate(count);
            MemorySegment.copy(bytes, from, text, ValueLayout.JAVA_BYTE, 0, count);
            Libc.Result result = libc.write(master, text);
            if (result.failed()) {
                return result.error() == Libc.AGAIN || result.error() == Libc.INTERRUPTED ? 0 : -1;
            }
            return (int) result.value();
        } finally {
            lock.readLock().unlock();
        }
    }

    void resize(int columns, int rows) throws IOException {
        lock.readLock().lock();
        try {
            if (!closed) {
                libc.resize(master, columns, rows);
            }
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Who still has the other side open is told by a hang-up. */
    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                libc.close(master);
            }
        } finally {
            lock.writeLock().unlock();
        }
    }
}
