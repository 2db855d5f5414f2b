package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One response, read line by line on the caller's thread and only as fast as the caller takes it. A watch closes it when nothing
 * was understood for too long, and a cancel closes it at once; both end the read.
 */
public final class Exchange implements AutoCloseable {
    private static final int MAX_LINE_BYTES = 4 << 20;
    private static final long MAX_RESPONSE_BYTES = 256L << 20;
    private static final int CHUNK = 8 << 10;
    private static final ScheduledExecutorService WATCH = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("provider-watch").daemon(true).factory());

    private final InputStream input;
    private final String contentType;
    private final String shown;
    private final ObjectMapper mapper;
    private final Duration silence;
    private final CancelSignal cancel;
    private final CancelSignal.Registration onCancel;
    private final ScheduledFuture<?> watching;
    private final byte[] chunk = new byte[CHUNK];

    private byte[] line = new byte[CHUNK];
    private int lineLength;
    private int chunkAt;
    private int chunkEnd;
    private long received;
    /** The response ended within a line. */
    private boolean cut;

    private volatile long understoodAt = System.nanoTime();
    private volatile boolean stalled;

    Exchange(
            HttpResponse<InputStream> response,
            String shown,
            ObjectMapper mapper,
            Duration silence,
            CancelSignal cancel) {
        this.input = unzipped(response);
        this.contentType =
                response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        this.shown = shown;
        this.mapper = mapper;
        this.silence = silence;
        this.cancel = cancel;
        this.onCancel = cancel.onCancel(this::closeInput);
        long every = Math.max(5, Math.min(1000, silence.toMillis() / 4));
        this.watching = WATCH.scheduleWithFixedDelay(this::look, every, every, TimeUnit.MILLISECONDS);
    }

    private static InputStream unzipped(HttpResponse<InputStream> response) {
        boolean zipped = response.headers()
                .firstValue("Content-Encoding")
                .filter("gzip"::equalsIgnoreCase)
                .isPresent();
        return zipped ? new UnzippedInput(response.body()) : response.body();
    }

    /** Whether it is one JSON document and not a stream of them. */
    public boolean isDocument() {
        return contentType.startsWith("application/json");
    }

    /** The endpoint, without what should not be shown. */
    public String shown() {
        return shown;
    }

    /** The next line without its end; null when the response is over. */
    public @Nullable String nextLine() throws ProviderException {
        refuseHtml();
        while (true) {
            for (; chunkAt < chunkEnd; chunkAt++) {
                if (chunk[chunkAt] == '\n') {
                    chunkAt++;
                    return takeLine();
                }
                append(chunk[chunkAt]);
            }
            if (!fill()) {
                cut = lineLength > 0;
                return cut ? takeLine() : null;
            }
        }
    }

    /** Something was understood: the silence is counted from now on. */
    public void understood() {
        understoodAt = System.nanoTime();
    }

    /** One line as JSON. */
    public JsonNode parse(String text) throws ProviderException {
        try {
            JsonNode node = mapper.readTree(text);
            understood();
            return node;
        } catch (JsonProcessingException e) {
            if (cut) {
                throw broken(e);
            }
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    shown + " sent something that is not JSON (" + text.length()
                            + " characters). Is it an endpoint of the chosen type, and is nothing in between that changes it?",
                    e);
        }
    }

    /** All of it as JSON. */
    public JsonNode json(int most) throws ProviderException {
        refuseHtml();
        String text = text(most);
        if (text.length() >= most) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL, shown + " answered with more than " + most + " bytes.");
        }
        return parse(text);
    }

    /** All of it as text, or the first {@code most} bytes. */
    String text(int most) throws ProviderException {
        try {
            return new String(input.readNBytes(most), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private void refuseHtml() throws ProviderException {
        if (contentType.startsWith("text/html")) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    shown
                            + " answered with a web page instead of JSON. Check the provider's base URL: for openai it ends with"
                            + " /v1, and no sign-in page may be in between.");
        }
    }

    private boolean fill() throws ProviderException {
        try {
            chunkAt = 0;
            chunkEnd = Math.max(0, input.read(chunk));
            received += chunkEnd;
            if (received > MAX_RESPONSE_BYTES) {
                throw new ProviderException(
                        FailureCode.PROVIDER_PROTOCOL,
                        shown + " sent more than " + (MAX_RESPONSE_BYTES >> 20)
                                + " MiB in one response and did not end.");
            }
            if (chunkEnd == 0 && (stalled || cancel.cancelled())) {
                throw broken(new IOException("closed"));
            }
            return chunkEnd > 0;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private void append(byte next) throws ProviderException {
        if (lineLength == line.length) {
            if (lineLength >= MAX_LINE_BYTES) {
                throw new ProviderException(
                        FailureCode.PROVIDER_PROTOCOL,
                        shown + " sent a line of more than " + MAX_LINE_BYTES + " bytes.");
            }
            line = Arrays.copyOf(line, line.length * 2);
        }
        line[lineLength++] = next;
    }

    private String takeLine() {
        int length = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
        lineLength = 0;
        return new String(line, 0, length, StandardCharsets.UTF_8);
    }

    private ProviderException broken(IOException cause) {
        if (cancel.cancelled()) {
            return Failures.cancelled();
        }
        if (stalled) {
            return Failures.stalled(shown, silence);
        }
        return new ProviderException(
                FailureCode.TRUNCATED,
                "The connection to " + shown + " broke before the response was complete. What came is kept.",
                cause);
    }

    private void look() {
        if (System.nanoTime() - understoodAt > silence.toNanos()) {
            stalled = true;
            closeInput();
        }
    }

    private void closeInput() {
        try {
            input.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public void close() {
        watching.cancel(false);
        onCancel.close();
        closeInput();
    }
}
