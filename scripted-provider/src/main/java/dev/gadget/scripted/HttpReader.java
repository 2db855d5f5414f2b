package dev.gadget.scripted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1.1 requests from a connection, within limits. */
final class HttpReader {
    static final int MAX_LINE = 32 * 1024;
    static final int MAX_HEADERS = 200;
    static final int MAX_BODY = 64 * 1024 * 1024;

    /** A request before its body means anything; the path is without the query. */
    record Raw(String method, String path, Map<String, String> headers, byte[] body) {}

    private final InputStream in;

    HttpReader(InputStream in) {
        this.in = in;
    }

    /** The next request, or null when the client has closed. */
    @Nullable
    Raw next() throws IOException {
        String start = line();
        if (start == null) {
            return null;
        }
        String[] words = start.split(" ");
        if (words.length != 3) {
            throw new IOException("Not an HTTP request line: " + start);
        }
        Map<String, String> headers = headers();
        return new Raw(words[0], words[1].split("\\?", 2)[0], headers, body(headers));
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); line != null && !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1 || headers.size() == MAX_HEADERS) {
                throw new IOException("Bad or too many headers");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return chunked();
        }
        return exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private byte[] chunked() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (true) {
            String line = line();
            if (line == null) {
                throw new IOException("The request body was cut");
            }
            int size = Integer.parseInt(line.split(";")[0].strip(), 16);
            if (out.size() + size > MAX_BODY) {
                throw new IOException("The request body is too large");
            }
            out.write(exactly(size));
            line();
            if (size == 0) {
                return out.toByteArray();
            }
        }
    }

    private byte[] exactly(int size) throws IOException {
        if (size > MAX_BODY) {
            throw new IOException("The request body is too large");
        }
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new IOException("The request body was cut");
        }
        return bytes;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                if (out.size() == 0) {
                    return null;
                }
                throw new IOException("The request was cut");
            }
            if (out.size() == MAX_LINE) {
                throw new IOException("A line of the request is too long");
            }
            if (b != '\r') {
                out.write(b);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
