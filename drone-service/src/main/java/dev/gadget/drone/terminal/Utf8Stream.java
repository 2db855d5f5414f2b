package dev.gadget.drone.terminal;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text out of bytes that come in pieces; what is no UTF-8 becomes the replacement character. */
final class Utf8Stream {
    private static final int LONGEST_CHARACTER = 4;

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] rest = new byte[0];

    /** The characters that are whole by now. */
    String take(byte[] bytes, int count) {
        ByteBuffer in = ByteBuffer.allocate(rest.length + count).put(rest).put(bytes, 0, count);
        in.flip();
        CharBuffer out = CharBuffer.allocate(in.remaining() + LONGEST_CHARACTER);
        decoder.decode(in, out, false);
        rest = new byte[in.remaining()];
        in.get(rest);
        return out.flip().toString();
    }
}
