package dev.gadget.code.store.embedded;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/** One file of the journal, written from its beginning to its end. Streams, not channels: an interrupt must not close it. */
final class JournalFile {
    /** Length of the payload, checksum, number of the command. */
    static final int HEADER_BYTES = Integer.BYTES + Integer.BYTES + Long.BYTES;

    /** What a file begins with: "GADGETJ" and the version of the form. */
    static final long MAGIC = 0x4741_4447_4554_4a01L;

    private final FileOutputStream file;
    private final DataOutputStream out;
    private final boolean fsync;
    private long bytes;

    /** A command with its number in the order of all commands. */
    record Entry(long number, byte[] payload) {
        int checksum() {
            var crc = new CRC32C();
            for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                crc.update((int) (number >>> shift));
            }
            crc.update(payload);
            return (int) crc.getValue();
        }
    }

    /** How a new file is opened; a test gives one that fails. */
    interface Opener {
        JournalFile open(Path path) throws IOException;
    }

    JournalFile(FileOutputStream file, OutputStream written, boolean fsync) {
        this.file = file;
        this.out = new DataOutputStream(new BufferedOutputStream(written, 1 << 16));
        this.fsync = fsync;
    }

    static Opener opener(boolean fsync) {
        return path -> {
            StoreDirectory.createPrivately(path);
            var file = new FileOutputStream(path.toFile());
            if (fsync) {
                StoreDirectory.sync(path.resolveSibling("."));
            }
            return new JournalFile(file, file, fsync);
        };
    }

    /** Writes the beginning, which shows that it can be written. */
    void begin() throws IOException {
        out.writeLong(MAGIC);
        write(List.of());
    }

    /** Returns when the operating system has all of it, or the disk when it is to be forced there. */
    void write(Collection<Entry> entries) throws IOException {
        for (Entry entry : entries) {
            out.writeInt(entry.payload().length);
            out.writeInt(entry.checksum());
            out.writeLong(entry.number());
            out.write(entry.payload());
            bytes += HEADER_BYTES + entry.payload().length;
        }
        out.flush();
        if (fsync) {
            file.getFD().sync();
        }
    }

    long bytes() {
        return bytes;
    }

    /** Without writing what is left in the buffer: after a failure the rest of it would only fail again. */
    void close() throws IOException {
        file.close();
    }
}
