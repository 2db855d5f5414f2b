package dev.gadget.code.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.RestAssured;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A real WebSocket to the service under test: what comes is queued, waits are bounded. */
public final class TestSocket implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final WebSocket socket;
    private volatile boolean reads = true;
    private volatile boolean polite = true;

    public TestSocket(String path, String token) {
        this.socket = open(path, token, new Listener()).join();
    }

    /** The status with which the upgrade is refused. */
    public static int refusal(String path, @Nullable String token) throws InterruptedException, TimeoutException {
        try {
            open(path, token, new WebSocket.Listener() {}).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("the upgrade was not refused");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException refused) {
                return refused.getResponse().statusCode();
            }
            throw new AssertionError(e.getCause());
        }
    }

    private static CompletableFuture<WebSocket> open(String path, @Nullable String token, WebSocket.Listener listener) {
        WebSocket.Builder builder = CLIENT.newWebSocketBuilder();
        if (token != null) {
            builder.header("Authorization", "Bearer " + token);
        }
        return builder.buildAsync(URI.create("ws://127.0.0.1:" + RestAssured.port + path), listener);
    }

    public void send(String text) {
        socket.sendText(text, true).join();
    }

    /** Sends a part of a message, which the next {@link #send} ends. */
    public void sendPart(String text) {
        socket.sendText(text, false).join();
    }

    /** From now on it does not answer when the service closes, and goes on sending. */
    public void neverAnswersTheClose() {
        polite = false;
    }

    /** Reads nothing more after the next frame, as a page on a slow line. */
    public void stopReading() {
        reads = false;
    }

    /** Reads on, after {@link #stopReading}. */
    public void readOn() {
        reads = true;
        socket.request(1);
    }

    /** Sends it though the service may end the connection meanwhile. */
    public void sendQuietly(String text) {
        socket.sendText(text, true)
                .exceptionally(_ -> socket)
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Whether the service ended the connection, with or without a word. */
    public boolean isClosed() throws Exception {
        return closed.handle((_, _) -> true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The next frame. */
    public String receive() throws InterruptedException {
        String frame = frames.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(frame).as("a frame within %d s", PATIENCE_SECONDS).isNotNull();
        return frame;
    }

    /** The code with which the service closes. */
    public int closeCode() throws Exception {
        return closed.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Ends it without a word, as a lost network does. */
    public void cut() {
        socket.abort();
    }

    @Override
    public void close() {
        if (!socket.isOutputClosed()) {
            // The service may have closed it meanwhile.
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "")
                    .exceptionally(_ -> socket)
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder part = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                frames.add(part.toString());
                part.setLength(0);
            }
            if (reads || !last) {
                webSocket.request(1);
            }
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
            closed.complete(statusCode);
            // The answer is sent when this is done.
            return polite ? null : new CompletableFuture<>();
        }

        @Override
        public void onError(WebSocket webSocket, Throwable error) {
            closed.completeExceptionally(error);
        }
    }
}
