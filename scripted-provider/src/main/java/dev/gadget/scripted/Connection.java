package dev.gadget.scripted;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client connection: what a reply needs of it. */
final class Connection implements AutoCloseable {
    /** The other side is not there any more. */
    static final class ClientLeft extends IOException {
        private static final long serialVersionUID = 1;

        ClientLeft() {
            super("the client left");
        }
    }

    private final Socket socket;
    private final PushbackInputStream in;
    private final OutputStream out;
    private final HttpReader reader;

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new PushbackInputStream(socket.getInputStream(), 1);
        out = new BufferedOutputStream(socket.getOutputStream(), 16 * 1024);
        reader = new HttpReader(new java.io.BufferedInputStream(in));
    }

    HttpReader.@Nullable Raw next() throws IOException {
        return reader.next();
    }

    OutputStream out() {
        return out;
    }

    void head(int status, Map<String, String> headers) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" Scripted\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    void send(int status, Map<String, String> headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Map<String, String> all = new java.util.LinkedHashMap<>(headers);
        all.put("Content-Length", Integer.toString(bytes.length));
        head(status, all);
        out.write(bytes);
        out.flush();
    }

    /** Waits, and notices when the client leaves meanwhile; no time means until then. */
    void await(@Nullable Duration time) throws IOException {
        out.flush();
        socket.setSoTimeout(time == null ? 0 : (int) Math.max(1, time.toMillis()));
        try {
            int next = in.read();
            if (next < 0) {
                throw new ClientLeft();
            }
            in.unread(next);
        } catch (SocketTimeoutException e) {
            return; // the time is over, and the client still there
        } finally {
            socket.setSoTimeout(0);
        }
    }

    void reset() throws IOException {
        out.flush();
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
