package dev.gadget.code.store.embedded;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a journal after a position: whole records in their order, without the torn one at the end of a file. */
final class JournalReader {
    /** More than any message that the store's server takes. */
    private static final int MAX_PAYLOAD = 64 << 20;

    private final Consumer<byte[]> commands;
    private long last;
    private long replayed;
    private long tornBytes;

    /**
     * @param position the number of the last command that is in the store already
     * @param commands gets each command after it
     */
    JournalReader(long position, Consumer<byte[]> commands) {
        this.last = position;
        this.commands = commands;
    }

    void read(List<Path> files) throws IOException {
        for (Path file : files) {
            read(file);
        }
    }

    /** The number of the last command that is known now. */
    long last() {
        return last;
    }

    long replayed() {
        return replayed;
    }

    /** How much was left out because it was not whole: it was never acknowledged. */
    long tornBytes() {
        return tornBytes;
    }

    private void read(Path file) throws IOException {
        long size = Files.size(file);
        long whole = 0;
        try (InputStream raw = Files.newInputStream(file);
                var in = new DataInputStream(new BufferedInputStream(raw, 1 << 16))) {
            whole = size < Long.BYTES ? 0 : checkedMagic(file, in);
            JournalFile.Entry entry = next(in, size - whole);
            while (entry != null) {
                take(file, entry);
                whole += JournalFile.HEADER_BYTES + entry.payload().length;
                entry = next(in, size - whole);
            }
        }
        tornBytes += size - whole;
    }

    private static int checkedMagic(Path file, DataInputStream in) throws IOException {
        if (in.readLong() != JournalFile.MAGIC) {
            throw new IOException(file + " is not a journal that this version can read."
                    + " Start the version that wrote it, or restore the data directory from a backup.");
        }
        return Long.BYTES;
    }

    /** Null where no whole record follows. */
    private static JournalFile.@Nullable Entry next(DataInputStream in, long left) throws IOException {
        if (left < JournalFile.HEADER_BYTES) {
            return null;
        }
        try {
            int length = in.readInt();
            int checksum = in.readInt();
            long number = in.readLong();
            if (length <= 0 || length > Math.min(MAX_PAYLOAD, left - JournalFile.HEADER_BYTES)) {
                return null;
            }
            var entry = new JournalFile.Entry(number, in.readNBytes(length));
            return entry.checksum() == checksum ? entry : null;
        } catch (EOFException e) {
            return null;
        }
    }

    /** A file that follows a torn one begins with the same number again, so numbers tell whether something is missing. */
    private void take(Path file, JournalFile.Entry entry) throws IOException {
        if (entry.number() <= last) {
            return;
        }
        if (entry.number() != last + 1) {
            throw new IOException("The journal of the store is damaged: " + file + " goes on with command "
                    + entry.number() + ", but command " + (last + 1)
                    + " is missing. Restore the data directory from a backup.");
        }
        commands.accept(entry.payload());
        last = entry.number();
        replayed++;
    }
}
