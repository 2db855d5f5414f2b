package dev.gadget.drone.web;

import dev.gadget.drone.provider.CancelSignal;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a web server. The connection goes to the very network address that was checked: a client that looks the name up
 * again could be led elsewhere.
 *
 * @param location where it sends on to
 * @param cut whether there was more than is kept
 */
public record WebPage(
        int status, String contentType, @Nullable String location, byte[] body, boolean cut) {
    /** What is kept of a body. */
    public static final int MAX_BYTES = 2 << 20;

    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    private static final Duration SPEAKS_WITHIN = Duration.ofSeconds(20);
    private static final Pattern CHARSET = Pattern.compile("charset=\"?([\\w.:-]+)");

    /** Gets it within this time; {@code IllegalArgumentException} when the host may not be reached. */
    public static WebPage get(WebAddress address, List<String> allowed, CancelSignal cancel, Duration within)
            throws IOException {
        InetAddress dialled = address.resolve(allowed);
        Socket plain = new Socket();
        Deadline deadline = Deadline.of(plain, within);
        try (plain;
                deadline) {
            plain.connect(new InetSocketAddress(dialled, address.port()), (int) CONNECTS_WITHIN.toMillis());
            plain.setSoTimeout((int) SPEAKS_WITHIN.toMillis());
            try (CancelSignal.Registration _ = cancel.onCancel(() -> close(plain));
                    Socket socket = address.secure() ? secured(plain, address) : plain) {
                socket.getOutputStream().write(request(address).getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                return read(new BufferedInputStream(socket.getInputStream()));
            }
        } catch (IOException e) {
            throw deadline.passed() ? new IOException("the server took longer than is waited for a page", e) : e;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed either way.
            return;
        }
    }

    private static Socket secured(Socket plain, WebAddress address) throws IOException {
        SSLSocket socket = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault())
                .createSocket(plain, address.host(), address.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static String request(WebAddress address) {
        return "GET " + address.target() + " HTTP/1.1\r\nHost: " + address.authority()
                + "\r\nUser-Agent: gadget-drone\r\nAccept: text/html,text/plain,application/json;q=0.9,*/*;q=0.5"
                + "\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
    }

    private static WebPage read(InputStream input) throws IOException {
        int[] room = {MAX_HEADER_BYTES};
        String first = line(input, room);
        if (!first.matches("HTTP/1\\.[01] \\d{3}.*")) {
            throw new IOException("the server does not speak HTTP");
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(input, room); !line.isEmpty(); line = line(input, room)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        InputStream body = headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")
                ? new ChunkedInput(input)
                : limited(input, headers.get("content-length"));
        if (headers.getOrDefault("content-encoding", "").equalsIgnoreCase("gzip")) {
            body = new GZIPInputStream(body);
        }
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        byte[] buffer = new byte[16 << 10];
        boolean more = true;
        while (kept.size() <= MAX_BYTES && more) {
            int count = body.read(buffer);
            more = count >= 0;
            kept.write(buffer, 0, Math.max(0, count));
        }
        byte[] bytes = kept.toByteArray();
        boolean cut = bytes.length > MAX_BYTES;
        return new WebPage(
                Integer.parseInt(first.substring(9, 12)),
                headers.getOrDefault("content-type", ""),
                headers.get("location"),
                cut ? Arrays.copyOf(bytes, MAX_BYTES) : bytes,
                cut);
    }

    private static InputStream limited(InputStream input, @Nullable String length) throws IOException {
        if (length == null) {
            return input;
        }
        try {
            return new BoundedInput(input, Long.parseLong(length));
        } catch (NumberFormatException e) {
            throw new IOException("the server names a length that is no number");
        }
    }

    static String line(InputStream input, int[] room) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = input.read(); c != '\n'; c = input.read()) {
            if (c < 0 || --room[0] < 0) {
                throw new IOException(c < 0 ? "the server closed the connection" : "the server's headers are too long");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** The body as text, in the character set that the server or the page names. */
    public String text() {
        String named = named(contentType)
                .or(() -> named(new String(body, 0, Math.min(body.length, 2048), StandardCharsets.ISO_8859_1)))
                .orElse("UTF-8");
        try {
            return new String(body, Charset.forName(named));
        } catch (IllegalArgumentException e) {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    private static Optional<String> named(String text) {
        Matcher matcher = CHARSET.matcher(text.toLowerCase(Locale.ROOT));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** So many bytes and no more. */
    private static final class BoundedInput extends InputStream {
        private final InputStream input;
        private long left;

        BoundedInput(InputStream input, long left) {
            this.input = input;
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            int read = left <= 0 ? -1 : input.read();
            left--;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                return -1;
            }
            int count = input.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(0, count);
            return count;
        }
    }

    /** A body in chunks. */
    private static final class ChunkedInput extends InputStream {
        private final InputStream input;
        private long left;
        private boolean first = true;
        private boolean over;

        ChunkedInput(InputStream input) {
            this.input = input;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0 && !over) {
                int[] room = {1000};
                if (!first) {
                    line(input, room);
                }
                first = false;
                try {
                    left = Long.parseLong(
                            line(input, room).replaceFirst(";.*", "").strip(), 16);
                } catch (NumberFormatException e) {
                    throw new IOException("the server's chunks have no length");
                }
                over = left == 0;
            }
            if (over) {
                return -1;
            }
            int count = input.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(0, count);
            return count;
        }
    }
}
