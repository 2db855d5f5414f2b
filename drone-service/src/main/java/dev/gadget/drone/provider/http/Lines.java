package dev.gadget.drone.provider.http;

import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Cuts a response into lines without copying them, and bounds the line and the whole. */
final class Lines {
    /** A whole tool call may stand in one line, a written file in its arguments. */
    static final int MAX_LINE_BYTES = 4 << 20;

    private static final long MAX_RESPONSE_BYTES = 256L << 20;
    private static final int FIRST_BUFFER = 16 << 10;

    private final InputStream input;
    private final String shown;
    private byte[] bytes = new byte[FIRST_BUFFER];
    private int from;
    private int to;
    private int next;
    private int end;
    private long received;
    private boolean cut;

    Lines(InputStream input, String shown) {
        this.input = input;
        this.shown = shown;
    }

    /** Goes to the next line; false when the response is over. */
    boolean advance() throws IOException, ProviderException {
        int scan = next;
        while (true) {
            for (; scan < end; scan++) {
                if (bytes[scan] == '\n') {
                    from = next;
                    to = scan > from && bytes[scan - 1] == '\r' ? scan - 1 : scan;
                    next = scan + 1;
                    return true;
                }
            }
            scan -= makeRoom();
            int read = input.read(bytes, end, bytes.length - end);
            if (read < 0) {
                return rest();
            }
            end += read;
            count(read);
        }
    }

    /** Moves the begun line to the front, and tells by how much; makes the buffer larger when the line fills it. */
    private int makeRoom() throws ProviderException {
        int moved = next;
        System.arraycopy(bytes, next, bytes, 0, end - next);
        end -= moved;
        next = 0;
        if (end == bytes.length) {
            if (end >= MAX_LINE_BYTES) {
                throw tooMuch("a line of more than " + (MAX_LINE_BYTES >> 20) + " MiB");
            }
            bytes = Arrays.copyOf(bytes, Math.min(MAX_LINE_BYTES, bytes.length * 2));
        }
        return moved;
    }

    private boolean rest() {
        from = next;
        to = end;
        next = end;
        cut = to > from;
        return cut;
    }

    private void count(int read) throws ProviderException {
        received += read;
        if (received > MAX_RESPONSE_BYTES) {
            throw tooMuch("more than " + (MAX_RESPONSE_BYTES >> 20) + " MiB in one response");
        }
    }

    private ProviderException tooMuch(String what) {
        return new ProviderException(
                FailureCode.PROVIDER_PROTOCOL, shown + " sent " + what + "; this is not how a model answers.");
    }

    byte[] bytes() {
        return bytes;
    }

    int from() {
        return from;
    }

    int length() {
        return to - from;
    }

    /** Whether the response ended within this line. */
    boolean cut() {
        return cut;
    }

    boolean startsWith(byte[] prefix) {
        return to - from >= prefix.length && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }

    String text() {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
