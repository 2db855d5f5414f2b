package dev.gadget.scripted;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What came over a socket, as it came.
 *
 * @param status 0 when no status line came
 * @param writes how many chunks of the transfer coding the body came in
 */
record RawResponse(int status, Map<String, String> headers, byte[] body, int writes, How how) {
    /** How the response ended. */
    enum How {
        /** As HTTP ends a response. */
        WHOLE,
        /** The connection was closed before that (FIN). */
        CLOSED,
        /** The connection was aborted (RST). */
        RESET,
        /** Nothing came any more, and the connection stayed open. */
        SILENT,
        /** It went on until the reader had enough. */
        ENDLESS
    }

    /** How long a silence is where none is expected, and where one is. */
    static final int LONG_MILLIS = 10_000;

    static final int SHORT_MILLIS = 1500;

    static final int ENOUGH = 40 * 1024 * 1024;

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    static RawResponse post(int port, String path, String json) throws IOException {
        return post(port, path, json, ENOUGH, LONG_MILLIS);
    }

    static RawResponse post(int port, String path, String json, int enough, int silence) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return send(port, "POST", path, body, enough, silence);
    }

    static RawResponse get(int port, String path) throws IOException {
        return send(port, "GET", path, new byte[0], ENOUGH, LONG_MILLIS);
    }

    private static RawResponse send(int port, String method, String path, byte[] body, int enough, int silence)
            throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(silence);
            String head =
                    method + " " + path + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            return new Reader(new BufferedInputStream(socket.getInputStream()), enough).read();
        }
    }

    private static final class Reader {
        private final InputStream in;
        private final int enough;
        private final Map<String, String> headers = new HashMap<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;
        private int writes;

        Reader(InputStream in, int enough) {
            this.in = in;
            this.enough = enough;
        }

        RawResponse read() throws IOException {
            How how;
            try {
                head();
                how = "chunked".equals(headers.get("transfer-encoding")) ? chunks() : counted();
            } catch (SocketTimeoutException e) {
                how = How.SILENT;
            } catch (EOFException e) {
                how = How.CLOSED;
            } catch (SocketException e) {
                how = How.RESET;
            }
            return new RawResponse(status, Map.copyOf(headers), body.toByteArray(), writes, how);
        }

        private void head() throws IOException {
            status = Integer.parseInt(line().split(" ")[1]);
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }

        private How counted() throws IOException {
            take(Integer.parseInt(headers.get("content-length")));
            return How.WHOLE;
        }

        private How chunks() throws IOException {
            while (true) {
                int size = Integer.parseInt(line(), 16);
                take(size);
                line();
                if (size == 0) {
                    return How.WHOLE;
                }
                writes++;
                if (body.size() >= enough) {
                    return How.ENDLESS;
                }
            }
        }

        private void take(int size) throws IOException {
            byte[] part = in.readNBytes(size);
            body.writeBytes(part);
            if (part.length < size) {
                throw new EOFException();
            }
        }

        private String line() throws IOException {
            StringBuilder out = new StringBuilder();
            for (int b = one(); b != '\n'; b = one()) {
                if (b != '\r') {
                    out.append((char) b);
                }
            }
            return out.toString();
        }

        private int one() throws IOException {
            int b = in.read();
            if (b < 0) {
                throw new EOFException();
            }
            return b;
        }
    }
}
