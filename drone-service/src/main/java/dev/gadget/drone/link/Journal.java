package dev.gadget.drone.link;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.gadget.model.work.WorkEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jboss.logging.Logger;

/**
 * What was said of one work order, on disk before anybody else hears of it: per entry its length, a CRC-32C and its JSON. What a
 * process has written survives its death; {@link #force} makes it survive the machine's. A torn end is dropped when it is opened.
 */
final class Journal implements AutoCloseable {
    /** A turn that says more than this fails instead of filling the disk. */
    static final long MAX_BYTES = 256L << 20;

    private static final Logger LOG = Logger.getLogger(Journal.class);
    private static final int HEAD = 8;
    private static final int MAX_ENTRY = 64 << 20;

    private final FileChannel channel;
    private final ObjectWriter writer;
    private final ObjectReader reader;
    private long[] lastSeqs = new long[256];
    private long[] offsets = new long[256];
    private int count;
    private long end;
    private boolean unforced;

    private Journal(FileChannel channel, ObjectMapper mapper) {
        this.channel = channel;
        this.writer = mapper.writerFor(WorkEntry.class);
        this.reader = mapper.readerFor(WorkEntry.class);
    }

    /** Opens the journal in this file, made when it is missing. */
    static Journal open(Path file, ObjectMapper mapper) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        var journal = new Journal(channel, mapper);
        try {
            journal.scan(file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return journal;
    }

    private void scan(Path file) throws IOException {
        long size = channel.size();
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
            WorkEntry entry = reader.readValue(json);
            note(entry.seq(), at);
            at += HEAD + length;
        }
        end = at;
        if (at < size) {
            LOG.warnf("dropping %d torn bytes at the end of %s", size - at, file.getFileName());
            channel.truncate(at);
        }
    }

    /** The number of the last entry; 0 when there is none. */
    synchronized long lastSeq() {
        return count == 0 ? 0 : lastSeqs[count - 1];
    }

    /** Writes one entry; its number has to follow on the last one. */
    synchronized void append(WorkEntry entry) throws IOException {
        if (entry.firstSeq() != lastSeq() + 1) {
            throw new IllegalArgumentException("entry " + entry.firstSeq() + " does not follow on " + lastSeq());
        }
        byte[] json = writer.writeValueAsBytes(entry);
        if (end + HEAD + json.length > MAX_BYTES) {
            throw new IOException("the journal would be larger than " + (MAX_BYTES >> 20) + " MiB");
        }
        ByteBuffer record = ByteBuffer.allocate(HEAD + json.length)
                .putInt(json.length)
                .putInt(crc(json))
                .put(json)
                .flip();
        long at = end;
        while (record.hasRemaining()) {
            at += channel.write(record, at);
        }
        note(entry.seq(), end);
        end = at;
        unforced = true;
    }

    /** Returns when all that was written is on the disk. */
    synchronized void force() throws IOException {
        if (unforced) {
            channel.force(false);
            unforced = false;
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
            entries.add(read(offsets[i] + HEAD, length).array());
            bytes += length;
            last = lastSeqs[i];
        }
        return new Batch(entries, last);
    }

    byte[] json(WorkEntry entry) throws IOException {
        return writer.writeValueAsBytes(entry);
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

    private void note(long seq, long offset) {
        if (count == offsets.length) {
            lastSeqs = Arrays.copyOf(lastSeqs, count * 2);
            offsets = Arrays.copyOf(offsets, count * 2);
        }
        lastSeqs[count] = seq;
        offsets[count] = offset;
        count++;
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new IOException("the journal ends before it should");
            }
        }
        return bytes.flip();
    }

    private static int crc(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
