package dev.gadget.drone.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Passes bytes on between two connections, in both directions, until both are at their end. */
final class Relay {
    private static final int BUFFER = 16 * 1024;

    private Relay() {}

    /** Returns when nothing more comes from either; both are closed then. */
    static void between(SocketChannel one, SocketChannel other) throws InterruptedException {
        Thread back = Thread.ofVirtual().name("relay").start(() -> copy(other, one));
        copy(one, other);
        back.join();
        close(one);
        close(other);
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        try {
            while (from.read(buffer) >= 0) {
                write(to, buffer.flip());
                buffer.clear();
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // One side is gone: nothing that the other says can be passed on.
            close(from);
            close(to);
        }
    }

    static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed either way.
            return;
        }
    }
}
