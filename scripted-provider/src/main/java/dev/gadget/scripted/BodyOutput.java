package dev.gadget.scripted;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** The body of a response in chunked transfer coding: compressed, cut and sliced as the reply wants it. */
final class BodyOutput {
    /** The reply wants its body cut here. */
    static final class CutHere extends IOException {
        private static final long serialVersionUID = 1;

        CutHere() {
            super("cut as scripted");
        }
    }

    private final OutputStream socket;
    private final Reply.Transport transport;
    private final OutputStream body;
    private long left;

    BodyOutput(OutputStream socket, Reply.Transport transport) throws IOException {
        this.socket = socket;
        this.transport = transport;
        left = transport.cutAfter() < 0 ? Long.MAX_VALUE : transport.cutAfter();
        OutputStream chunks = new BufferedOutputStream(new Chunks(), 8192);
        body = transport.gzip() ? new GZIPOutputStream(chunks, 512, true) : chunks;
    }

    void write(String text) throws IOException {
        body.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes up to the middle of the last character of several bytes; where there is none, the first three quarters. */
    void writePart(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] >= 0) {
            end--;
        }
        body.write(bytes, 0, end > 0 ? end - 1 : bytes.length - bytes.length / 4);
    }

    void flush() throws IOException {
        body.flush();
        socket.flush();
    }

    /** The regular end of the body. */
    void end() throws IOException {
        if (body instanceof GZIPOutputStream gzip) {
            gzip.finish();
        }
        flush();
        endTransfer();
    }

    /** Tells that the body is over, wherever its content stands. */
    void endTransfer() throws IOException {
        socket.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.flush();
    }

    private final class Chunks extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int end = offset + (int) Math.min(length, left);
            int at = offset;
            while (at < end) {
                int size = transport.piece() == 0 ? end - at : Math.min(transport.piece(), end - at);
                socket.write((Integer.toHexString(size) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                socket.write(bytes, at, size);
                socket.write(new byte[] {'\r', '\n'});
                if (transport.piece() != 0) {
                    socket.flush();
                }
                at += size;
            }
            left -= end - offset;
            if (left == 0 && transport.cutAfter() >= 0) {
                socket.flush();
                throw new CutHere();
            }
        }
    }
}
