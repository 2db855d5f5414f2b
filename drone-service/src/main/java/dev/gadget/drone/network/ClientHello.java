package dev.gadget.drone.network;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** What a TLS client says first. Of it only the name of the server counts here: it has to be the one that the tunnel was asked for. */
final class ClientHello {
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_NAME = 0;

    private ClientHello() {}

    /** The server's name in these first bytes; empty when they are no such thing, or it names none. */
    static Optional<String> serverName(byte[] first) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(first);
            if (bytes.get() != HANDSHAKE) {
                return Optional.empty();
            }
            skip(bytes, 4);
            if (bytes.get() != CLIENT_HELLO) {
                return Optional.empty();
            }
            // Its length, the version, the random bytes.
            skip(bytes, 3 + 2 + 32);
            skip(bytes, Byte.toUnsignedInt(bytes.get()));
            skip(bytes, Short.toUnsignedInt(bytes.getShort()));
            skip(bytes, Byte.toUnsignedInt(bytes.get()));
            return inExtensions(bytes);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> inExtensions(ByteBuffer bytes) {
        int end = Short.toUnsignedInt(bytes.getShort()) + bytes.position();
        while (bytes.position() < end) {
            int type = Short.toUnsignedInt(bytes.getShort());
            int length = Short.toUnsignedInt(bytes.getShort());
            if (type == SERVER_NAME) {
                // The length of the list, and the type of its one name.
                skip(bytes, 3);
                byte[] name = new byte[Short.toUnsignedInt(bytes.getShort())];
                bytes.get(name);
                return Optional.of(new String(name, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT));
            }
            skip(bytes, length);
        }
        return Optional.empty();
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(bytes.position() + count);
    }
}
