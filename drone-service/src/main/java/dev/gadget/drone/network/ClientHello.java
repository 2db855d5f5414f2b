package dev.gadget.drone.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * What a TLS client says first. Of it only the name of the server counts here: it has to be the one that the tunnel was asked for.
 *
 * @param serverName empty when it names none
 */
record ClientHello(Optional<String> serverName) {
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_NAME = 0;
    private static final int RECORD_HEAD = 5;
    private static final int MESSAGE_HEAD = 4;
    private static final int MAX_RECORD = 16 * 1024;

    /** Of the greeting itself; with the heads of its records it fits into what is kept of a connection's first bytes. */
    private static final int MAX_HELLO = 16 * 1024;

    /** Something else than TLS, or none that can be understood. */
    static final class NotTlsException extends Exception {
        private static final long serialVersionUID = 1L;

        NotTlsException(String message) {
            super(message);
        }
    }

    /**
     * Reads until it is whole, over as many records and reads as it comes in.
     *
     * @param first what was read before, ready for more; holds all that came afterwards
     */
    static ClientHello read(ReadableByteChannel client, ByteBuffer first) throws IOException, NotTlsException {
        while (true) {
            Optional<ClientHello> whole = in(first.duplicate().flip());
            if (whole.isPresent()) {
                return whole.get();
            }
            if (!first.hasRemaining()) {
                throw new NotTlsException("its greeting is too long");
            }
            if (client.read(first) < 0) {
                throw new NotTlsException("the greeting ended too early");
            }
        }
    }

    /** The greeting in these first bytes; empty when more have to come. */
    static Optional<ClientHello> in(ByteBuffer bytes) throws NotTlsException {
        var message = new ByteArrayOutputStream();
        while (bytes.hasRemaining()) {
            if (bytes.get(bytes.position()) != HANDSHAKE) {
                throw new NotTlsException("it is no TLS");
            }
            if (bytes.remaining() < RECORD_HEAD) {
                return Optional.empty();
            }
            int length = Short.toUnsignedInt(bytes.getShort(bytes.position() + 3));
            if (length == 0 || length > MAX_RECORD) {
                throw new NotTlsException("it is no TLS");
            }
            bytes.position(bytes.position() + RECORD_HEAD);
            byte[] part = new byte[Math.min(length, bytes.remaining())];
            bytes.get(part);
            message.writeBytes(part);
            Optional<ClientHello> hello = of(ByteBuffer.wrap(message.toByteArray()));
            if (hello.isPresent()) {
                return hello;
            }
        }
        return Optional.empty();
    }

    private static Optional<ClientHello> of(ByteBuffer message) throws NotTlsException {
        if (message.remaining() < MESSAGE_HEAD) {
            return Optional.empty();
        }
        int head = message.getInt();
        int length = head & 0xffffff;
        if (head >>> 24 != CLIENT_HELLO || length > MAX_HELLO) {
            throw new NotTlsException("it is no greeting of TLS");
        }
        if (message.remaining() < length) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ClientHello(serverName(message.limit(message.position() + length))));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new NotTlsException("its greeting cannot be read");
        }
    }

    private static Optional<String> serverName(ByteBuffer hello) throws NotTlsException {
        // The version, the random bytes.
        skip(hello, 2 + 32);
        skip(hello, Byte.toUnsignedInt(hello.get()));
        skip(hello, Short.toUnsignedInt(hello.getShort()));
        skip(hello, Byte.toUnsignedInt(hello.get()));
        Optional<String> found = Optional.empty();
        if (hello.hasRemaining() && Short.toUnsignedInt(hello.getShort()) != hello.remaining()) {
            throw new NotTlsException("its greeting cannot be read");
        }
        while (hello.hasRemaining()) {
            int type = Short.toUnsignedInt(hello.getShort());
            int length = Short.toUnsignedInt(hello.getShort());
            if (type == SERVER_NAME) {
                if (found.isPresent()) {
                    // Which of them the server goes by cannot be told.
                    throw new NotTlsException("it names its server twice");
                }
                found = Optional.of(name(hello.slice(hello.position(), length)));
            }
            skip(hello, length);
        }
        return found;
    }

    /** Its list has one name: there is one kind of them. */
    private static String name(ByteBuffer list) throws NotTlsException {
        int length = Short.toUnsignedInt(list.getShort());
        int kind = list.get();
        byte[] name = new byte[Short.toUnsignedInt(list.getShort())];
        list.get(name);
        if (list.hasRemaining() || length != name.length + 3 || kind != 0) {
            throw new NotTlsException("it names its server in a way that cannot be read");
        }
        return new String(name, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(bytes.position() + count);
    }
}
