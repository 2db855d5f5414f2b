package dev.gadget.drone.link;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.drone.agent.WorkReport;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What was said of one work order, on disk before anybody else hears of it: per entry its length, a CRC-32C and its JSON. What a
 * process has written survives its death; {@link #force} makes it survive the machine's. A torn end is dropped when it is opened.
 */
final class Journal implements AutoCloseable {
    /** A turn that says more than this fails instead of filling the disk. */
    static final long MAX_BYTES = 256L << 20;

    private static final Logger LOG = Logger.getLogger(Journal.class);
    private static final int HEAD = 8;
    private static final int LOOKS_AHEAD = 8 << 20;

    private static final int LATEST = 64;
    private static final int MAX_LATEST_BYTES = 4 << 10;

    private static final int MAX_ENTRY = WorkReport.MAX_BYTES;

    // No FileChannel: an interrupt of any thread that writes would close it under all others.
    private final RandomAccessFile file;
    private final long limit;
    private final WorkedTime worked;
    /** Whoever waits for the disk has it, and no word waits for that. */
    final Object forcing = new Object();

    private final ObjectWriter writer;
    private final ObjectReader reader;
    private long[] lastSeqs = new long[256];
    private long[] offsets = new long[256];
    private int count;
    /** By their index modulo {@link #LATEST}: what was just written is mostly asked for at once, and need not be read for that. */
    private final byte[] @Nullable [] latest = new byte[LATEST][];

    private long skippedTo;
    private long end;
    private boolean unforced;

    private Journal(RandomAccessFile file, long limit, WorkedTime worked, ObjectMapper mapper) {
        this.file = file;
        this.worked = worked;
        this.limit = limit;
        this.writer = mapper.writerFor(WorkEntry.class);
        this.reader = mapper.readerFor(WorkEntry.class);
    }

    /** Opens the journal in this file, made when it is missing. */
    static Journal open(Path path, ObjectMapper mapper) throws IOException {
        return open(path, MAX_BYTES, mapper);
    }

    static Journal open(Path path, long limit, ObjectMapper mapper) throws IOException {
        if (!Files.exists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        WorkedTime worked = WorkedTime.of(path);
        var file = new RandomAccessFile(path.toFile(), "rw");
        var journal = new Journal(file, limit, worked, mapper);
        try {
            journal.scan(path);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        return journal;
    }

    private void scan(Path path) throws IOException {
        long size = file.length();
        long at = 0;
        while (at + HEAD <= size) {
            ByteBuffer head = read(at, HEAD);
            int length = head.getInt();
            int crc = head.getInt();
            if (length <= 0 || length > MAX_ENTRY || at + HEAD + length > size) {
                break;
            }
            byte[] json = read(at + HEAD, length).array();
            if (crc != crc(json)) {
                break;
            }
            note(entry(path, at, json).seq(), at, null);
            at += HEAD + length;
        }
        end = at;
        if (promisesAfter(at, size)) {
            throw new DamagedException(path, at);
        }
        if (at < size) {
            LOG.warnf("dropping %d torn bytes at the end of %s", size - at, path.getFileName());
            file.setLength(at);
        }
    }

    private WorkEntry entry(Path path, long at, byte[] json) throws IOException {
        try {
            return reader.readValue(json);
        } catch (JsonProcessingException e) {
            throw new UnknownEntryException(path, at, e);
        }
    }

    /**
     * Whether something that was forced to the disk stands behind bytes that cannot be read: then this is no torn end, and what is
     * missing may be a tool that ran.
     */
    private boolean promisesAfter(long from, long size) throws IOException {
        ByteBuffer rest = read(from, (int) Math.min(size - from, LOOKS_AHEAD));
        for (int at = 1; at + HEAD < rest.limit(); at++) {
            int length = rest.getInt(at);
            if (length <= 0 || length > MAX_ENTRY || length > rest.limit() - at - HEAD) {
                continue;
            }
            byte[] json = new byte[length];
            rest.get(at + HEAD, json);
            if (rest.getInt(at + Integer.BYTES) == crc(json) && forced(json)) {
                return true;
            }
        }
        return false;
    }

    private boolean forced(byte[] json) throws IOException {
        try {
            return switch (reader.<WorkEntry>readValue(json)) {
                case WorkEntry.Prompted _,
                        WorkEntry.ToolStarted _,
                        WorkEntry.ToolEnded _,
                        WorkEntry.WorkOrderComplete _ -> true;
                default -> false;
            };
        } catch (JsonProcessingException e) {
            // It may be one, of a drone that knows more.
            return true;
        }
    }

    /**
     * A journal that is whole and says what this drone does not know. It stays where it is: the drone that wrote it goes on from it, and
     * with it put aside nobody could.
     */
    static final class UnknownEntryException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownEntryException(Path file, long at, JsonProcessingException cause) {
            super(
                    file + " holds an entry (at byte " + at
                            + ") that this drone does not understand, as a newer one writes it."
                            + " Start that drone again, and the turn goes on; or move the file away, and the turn ends with what the"
                            + " code service has of it.",
                    cause);
        }
    }

    /** A journal that cannot be taken up: something in the middle of it is not readable. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedException(Path file, long at) {
            super(file + " is damaged at byte " + at);
        }
    }

    /** The last number that was used; 0 when there is none. */
    synchronized long lastSeq() {
        return Math.max(skippedTo, count == 0 ? 0 : lastSeqs[count - 1]);
    }

    /** Leaves out the numbers up to this one: the service has them, and the end of this file was torn off. */
    synchronized void skipTo(long seq) {
        skippedTo = Math.max(skippedTo, seq);
    }

    /** Writes one entry; its number has to follow on the last one. */
    synchronized void append(WorkEntry entry) throws IOException {
        if (entry.firstSeq() != lastSeq() + 1) {
            throw new IllegalArgumentException("entry " + entry.firstSeq() + " does not follow on " + lastSeq());
        }
        byte[] json = writer.writeValueAsBytes(entry);
        if (json.length > MAX_ENTRY) {
            throw new IOException("one entry has " + json.length + " bytes; the most is " + MAX_ENTRY);
        }
        // The end of the turn is small, and has to be said above all when there is no room for more.
        if (end + HEAD + json.length > limit && !(entry instanceof WorkEntry.WorkOrderComplete)) {
            throw new IOException("it would be larger than " + limit + " bytes");
        }
        byte[] bytes = new byte[HEAD + json.length];
        ByteBuffer.wrap(bytes).putInt(json.length).putInt(crc(json)).put(json);
        file.seek(end);
        file.write(bytes);
        note(entry.seq(), end, json.length <= MAX_LATEST_BYTES ? json : null);
        end += bytes.length;
        unforced = true;
    }

    /** Returns when all that was written is on the disk; what is written meanwhile does not wait for it. */
    void force() throws IOException {
        synchronized (forcing) {
            synchronized (this) {
                if (!unforced) {
                    return;
                }
                unforced = false;
            }
            try {
                file.getFD().sync();
            } catch (IOException e) {
                synchronized (this) {
                    unforced = true;
                }
                throw e;
            }
        }
    }

    /** The JSON of entries from this number on, in order: as many as fit in so many bytes, at least one when there is one. */
    synchronized Batch batch(long fromSeq, int most) throws IOException {
        int first = indexOf(fromSeq);
        List<byte[]> entries = new ArrayList<>();
        long last = fromSeq - 1;
        int bytes = 0;
        for (int i = first; i < count; i++) {
            int length = (int) ((i + 1 < count ? offsets[i + 1] : end) - offsets[i]) - HEAD;
            if (!entries.isEmpty() && bytes + length > most) {
                break;
            }
            byte[] known = i >= count - LATEST ? latest[i % LATEST] : null;
            entries.add(known == null ? read(offsets[i] + HEAD, length).array() : known);
            bytes += length;
            last = lastSeqs[i];
        }
        return new Batch(entries, last);
    }

    byte[] json(WorkEntry entry) throws IOException {
        return writer.writeValueAsBytes(entry);
    }

    WorkedTime worked() {
        return worked;
    }

    /** Whether the last entry is the end of the turn. */
    synchronized boolean ends() throws IOException {
        if (count == 0) {
            return false;
        }
        Batch last = batch(lastSeqs[count - 1], 1);
        return reader.readValue(last.entries().getFirst()) instanceof WorkEntry.WorkOrderComplete;
    }

    /** Some entries as JSON, and the number of the last of them. */
    record Batch(List<byte[]> entries, long lastSeq) {}

    /** All entries, in order. */
    synchronized List<WorkEntry> entries() throws IOException {
        List<WorkEntry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int length = (int) ((i + 1 < count ? offsets[i + 1] : end) - offsets[i]) - HEAD;
            entries.add(reader.readValue(read(offsets[i] + HEAD, length).array()));
        }
        return entries;
    }

    /** The first record that holds this number or a later one. */
    private int indexOf(long seq) {
        int found = Arrays.binarySearch(lastSeqs, 0, count, seq);
        return found >= 0 ? found : -found - 1;
    }

    private void note(long seq, long offset, byte @Nullable [] json) {
        if (count == offsets.length) {
            lastSeqs = Arrays.copyOf(lastSeqs, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        lastSeqs[count] = seq;
        offsets[count] = offset;
        latest[count % LATEST] = json;
        count++;
    }

    private ByteBuffer read(long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(at);
        file.readFully(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static int crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        synchronized (forcing) {
            synchronized (this) {
                worked.close();
                file.close();
            }
        }
    }
}
