package dev.gadget.drone.provider.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.drone.provider.CancelSignal;
import dev.gadget.drone.provider.ProviderException;
import dev.gadget.model.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One response, read line by line on the caller's thread and only as fast as the caller takes it. Silence and cancel close it, which
 * ends the read at once.
 */
public final class Exchange implements AutoCloseable {
    private static final int MAX_TAIL_BYTES = 64 << 10;
    private static final int LONGEST_WORD = "false".length();

    private final InputStream input;
    private final Lines lines;
    private final String contentType;
    private final String shown;
    private final ObjectMapper mapper;
    private final SilenceWatch.Watched silence;
    private final CancelSignal.Registration onCancel;
    private volatile boolean cancelled;
    private boolean complete;

    Exchange(
            HttpResponse<InputStream> response,
            String shown,
            ObjectMapper mapper,
            SilenceWatch.Watched silence,
            CancelSignal cancel) {
        this.input = unzipped(response);
        this.lines = new Lines(input, shown);
        this.contentType =
                response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        this.shown = shown;
        this.mapper = mapper;
        this.silence = silence;
        silence.closes(this::closeInput);
        this.onCancel = cancel.onCancel(this::cancel);
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

    /** Goes to the next line; false when the response is over. */
    public boolean nextLine() throws ProviderException {
        refuseHtml();
        silence.reading();
        try {
            boolean more = lines.advance();
            if (cancelled || (!more && silence.broken())) {
                throw broken(null);
            }
            return more;
        } catch (IOException e) {
            throw broken(e);
        } finally {
            silence.idle();
        }
    }

    /** Whether the line begins with this. */
    public boolean lineStartsWith(byte[] prefix) {
        return lines.startsWith(prefix);
    }

    public boolean lineIsBlank() {
        for (int i = 0; i < lines.length(); i++) {
            if (lines.bytes()[lines.from() + i] > ' ' || lines.bytes()[lines.from() + i] < 0) {
                return false;
            }
        }
        return true;
    }

    public String line() {
        return lines.text();
    }

    /** The line as JSON, without its first bytes. */
    public JsonNode parseLine(int skipped) throws ProviderException {
        JsonNode node = parsed(lines.bytes(), lines.from() + skipped, lines.length() - skipped);
        if (!node.isMissingNode()) {
            silence.understood();
        }
        return node;
    }

    /** Whether this is a JSON value and nothing is missing. */
    public boolean isJson(CharSequence text) {
        try {
            return !mapper.readTree(text.toString()).isMissingNode();
        } catch (IOException e) {
            return false;
        }
    }

    /** The model itself said something: from now on it may not be silent for so long as before the first word. */
    public void begun() {
        silence.begun();
    }

    /** The endpoint said that the response is complete: what little follows is read, and the connection is used again. */
    public void complete() {
        complete = true;
    }

    /** All of it as JSON. */
    public JsonNode json(int most) throws ProviderException {
        refuseHtml();
        byte[] all = bytes(most + 1);
        if (all.length > most) {
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL, shown + " answered with more than " + most + " bytes.");
        }
        complete();
        return parsed(all, 0, all.length);
    }

    /** What it says of a failure, as far as it comes: nothing may stand in the way of the status. */
    String errorText(int most) throws ProviderException {
        try {
            return new String(bytes(most), StandardCharsets.UTF_8);
        } catch (ProviderException e) {
            if (cancelled) {
                throw e;
            }
            return "";
        }
    }

    private byte[] bytes(int most) throws ProviderException {
        silence.reading();
        try {
            byte[] all = input.readNBytes(most);
            if (cancelled || silence.broken()) {
                throw broken(null);
            }
            return all;
        } catch (IOException e) {
            throw broken(e);
        } finally {
            silence.idle();
        }
    }

    private JsonNode parsed(byte[] bytes, int from, int length) throws ProviderException {
        try {
            return mapper.readTree(bytes, from, length);
        } catch (IOException e) {
            return parsedLeniently(bytes, from, length);
        }
    }

    /** Endpoints that cut text by tokens send half characters at times; these do not spoil the rest. */
    private JsonNode parsedLeniently(byte[] bytes, int from, int length) throws ProviderException {
        String text = new String(bytes, from, length, StandardCharsets.UTF_8);
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException e) {
            if (lines.cut() && isGoodToItsEnd(text, e)) {
                throw broken(e);
            }
            throw new ProviderException(
                    FailureCode.PROVIDER_PROTOCOL,
                    shown + " sent something that is not JSON (" + length
                            + " bytes). Is it an endpoint of the chosen type, and is nothing in between that changes it?",
                    e);
        }
    }

    /** Whether only the rest is missing, of a word too: what is wrong before that was wrong when it was sent. */
    private static boolean isGoodToItsEnd(String text, JsonProcessingException e) {
        return e instanceof JsonEOFException || e.getLocation().getCharOffset() >= text.length() - LONGEST_WORD;
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

    private ProviderException broken(@Nullable IOException cause) {
        if (cancelled) {
            return Failures.cancelled();
        }
        if (silence.broken()) {
            return Failures.stalled(shown, silence.allowed());
        }
        return new ProviderException(
                FailureCode.TRUNCATED,
                "The connection to " + shown + " broke before the response was complete. What came is kept.",
                null,
                cause);
    }

    private void cancel() {
        cancelled = true;
        closeInput();
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
        onCancel.close();
        if (complete && !cancelled) {
            silence.lastWords();
            Thread.ofVirtual().name("provider-tail").start(this::readTail);
        } else {
            silence.close();
            closeInput();
        }
    }

    /** Reads the end of the transfer coding: a connection that is closed before it cannot be used again. */
    private void readTail() {
        try {
            input.readNBytes(MAX_TAIL_BYTES);
        } catch (IOException e) {
            // The response is complete; only the connection is lost.
        } finally {
            silence.close();
            closeInput();
        }
    }
}
