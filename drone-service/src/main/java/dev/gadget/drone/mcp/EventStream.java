package dev.gadget.drone.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Server-sent events, of which only the data counts; bounded by event and as a whole. */
final class EventStream {
    private static final long MAX_BYTES = 64L << 20;

    private final InputStream input;
    private final byte[] buffer = new byte[16 << 10];
    private int next;
    private int end;
    private long received;

    EventStream(InputStream input) {
        this.input = input;
    }

    /** The data of the next event; empty at the end. */
    Optional<byte[]> next() throws IOException {
        var data = new ByteArrayOutputStream();
        for (Optional<byte[]> line = line(); line.isPresent(); line = line()) {
            byte[] bytes = line.get();
            if (bytes.length == 0 && data.size() > 0) {
                return Optional.of(data.toByteArray());
            }
            if (startsWithData(bytes)) {
                int from = bytes.length > 5 && bytes[5] == ' ' ? 6 : 5;
                if (data.size() + bytes.length > McpChannel.MAX_MESSAGE_BYTES) {
                    throw tooMuch();
                }
                data.write(bytes, from, bytes.length - from);
                data.write('\n');
            }
        }
        return Optional.empty();
    }

    private static boolean startsWithData(byte[] line) {
        return line.length >= 5 && new String(line, 0, 5, StandardCharsets.ISO_8859_1).equals("data:");
    }

    private Optional<byte[]> line() throws IOException {
        var line = new ByteArrayOutputStream(256);
        while (fill()) {
            int from = next;
            while (next < end && buffer[next] != '\n') {
                next++;
            }
            line.write(buffer, from, next - from);
            if (line.size() > McpChannel.MAX_MESSAGE_BYTES) {
                throw tooMuch();
            }
            if (next < end) {
                next++;
                byte[] bytes = line.toByteArray();
                boolean returned = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
                return Optional.of(returned ? Arrays.copyOf(bytes, bytes.length - 1) : bytes);
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
        received += end;
        if (received > MAX_BYTES) {
            throw tooMuch();
        }
        return end > 0;
    }

    private static McpException tooMuch() {
        return new McpException(
                McpException.Kind.REFUSED,
                "sent a message of more than " + (McpChannel.MAX_MESSAGE_BYTES >> 20)
                        + " MiB, which was thrown away. Ask for less at once");
    }
}
