package dev.gadget.drone.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Cuts what a server prints into lines, and keeps no line that is longer than a message may be. */
final class MessageLines {
    private static final long MAX_SKIPPED = 64L << 20;

    /** What came. */
    sealed interface Line {
        /** A whole line. */
        @SuppressWarnings("ArrayRecordComponent") // read once and thrown away, never compared
        record Whole(byte[] bytes) implements Line {}

        /** One that was too long, and is not kept. */
        record TooLong() implements Line {}
    }

    private final InputStream input;
    private final byte[] buffer = new byte[64 << 10];
    private int next;
    private int end;

    MessageLines(InputStream input) {
        this.input = input;
    }

    /** The next one; empty at the end. A rest without a line break is no message. */
    Optional<Line> next() throws IOException {
        var line = new ByteArrayOutputStream(1024);
        long length = 0;
        while (fill()) {
            int from = next;
            while (next < end && buffer[next] != '\n') {
                next++;
            }
            length += next - from;
            if (length <= McpChannel.MAX_MESSAGE_BYTES) {
                line.write(buffer, from, next - from);
            } else if (length > MAX_SKIPPED) {
                throw new IOException("it prints without end");
            }
            if (next < end) {
                next++;
                return Optional.of(
                        length > McpChannel.MAX_MESSAGE_BYTES
                                ? new Line.TooLong()
                                : new Line.Whole(line.toByteArray()));
            }
        }
        return Optional.empty();
    }

    private boolean fill() throws IOException {
        if (next < end) {
            return true;
        }
        next = 0;
        end = Math.max(0, input.read(buffer));
        return end > 0;
    }
}
