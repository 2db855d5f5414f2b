package dev.gadget.drone.link;

import dev.gadget.model.Protocol;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One connection to the code service: whole text messages in order, one at a time in each direction. */
final class Channel implements WebSocket.Listener {
    private static final Logger LOG = Logger.getLogger(Channel.class);
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(10);
    /** So long may a part of a message take to get out. */
    private static final long SENDS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int PART_CHARS = 16 << 10;

    /**
     * How many messages are taken ahead of the one that is handled. There is always room: while nothing is asked for, the JDK's
     * client may miss that the other end has gone.
     */
    private static final int AHEAD = 64;

    private final Consumer<String> received;
    private final CompletableFuture<End> end = new CompletableFuture<>();
    private final ExecutorService handler = Executors.newSingleThreadExecutor(
            Thread.ofVirtual().name("link-reader").factory());
    private final StringBuilder partial = new StringBuilder();
    private volatile long heardAt = System.nanoTime();
    private volatile long tookAt = System.nanoTime();
    private volatile @Nullable WebSocket socket;

    private Channel(Consumer<String> received) {
        this.received = received;
        end.thenRun(handler::shutdown);
    }

    /** How a connection ended: the close code, 1006 when there was none. */
    record End(int code, String reason) {
        /** Whether the service said that coming back does not help. */
        boolean forGood() {
            return code >= 4500 && code <= 4999;
        }
    }

    /** The service could not be reached, or answered with this status instead of a socket (0: it did not answer). */
    static final class NotConnectedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;
        private final String body;

        NotConnectedException(int status, String body, String message) {
            super(message);
            this.status = status;
            this.body = body;
        }

        int status() {
            return status;
        }

        /** What came with the status; empty for nothing. */
        String body() {
            return body;
        }
    }

    static Channel connect(HttpClient client, URI address, String credential, Consumer<String> received)
            throws NotConnectedException, InterruptedException {
        var channel = new Channel(received);
        CompletableFuture<WebSocket> connecting = client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + credential)
                .connectTimeout(CONNECTS_WITHIN)
                .buildAsync(address, channel);
        try {
            channel.socket = connecting.get(CONNECTS_WITHIN.toSeconds() + 5, TimeUnit.SECONDS);
            return channel;
        } catch (TimeoutException e) {
            connecting.cancel(true);
            channel.abort("no answer");
            throw new NotConnectedException(0, "", "no answer within " + CONNECTS_WITHIN.toSeconds() + " s");
        } catch (ExecutionException e) {
            channel.abort("no connection");
            Throwable cause = e.getCause() instanceof CompletionException inner ? inner.getCause() : e.getCause();
            if (cause instanceof WebSocketHandshakeException refused) {
                HttpResponse<?> answer = refused.getResponse();
                int status = answer == null ? 0 : answer.statusCode();
                String body = answer != null && answer.body() instanceof String text ? text : "";
                throw new NotConnectedException(status, body, "the service answered with status " + status);
            }
            throw new NotConnectedException(
                    0, "", cause == null || cause.getMessage() == null ? "no connection" : cause.getMessage());
        }
    }

    /** Sends one message and returns when the system has taken it; {@code IllegalStateException} when the connection is over. */
    void send(String text) throws InterruptedException {
        await(begin(text));
    }

    /**
     * Sends one message; done when the system has taken it, as it mostly has at once. The message before has to be out. One that cannot be
     * sent ends the connection: what comes after it would follow on something that nobody got.
     */
    CompletableFuture<?> begin(String text) {
        WebSocket open = socket;
        if (open == null || end.isDone()) {
            return CompletableFuture.failedFuture(new IllegalStateException("the connection is over"));
        }
        tookAt = System.nanoTime();
        return rest(open, text, 0).whenComplete((_, failure) -> {
            if (failure != null) {
                abort("it takes nothing more");
            }
        });
    }

    /** In parts: of one that takes long it is known whether it gets on. */
    private CompletableFuture<WebSocket> rest(WebSocket open, String text, int from) {
        int end = Math.min(text.length(), from + PART_CHARS);
        if (end == text.length()) {
            return open.sendText(text.substring(from), true);
        }
        // Never through the middle of a character, which cannot be sent.
        int cut = Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
        return open.sendText(text.substring(from, cut), false).thenCompose(_ -> {
            tookAt = System.nanoTime();
            return rest(open, text, cut);
        });
    }

    /** Returns when the system has taken it; {@code IllegalStateException} when the connection is over. */
    void await(CompletableFuture<?> sent) throws InterruptedException {
        try {
            awaitParts(CompletableFuture.anyOf(sent, end));
        } catch (TimeoutException e) {
            abort("it takes nothing more");
            throw new IllegalStateException("the connection is over", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the connection is over", e);
        }
        if (end.isDone()) {
            throw new IllegalStateException("the connection is over");
        }
    }

    private void awaitParts(CompletableFuture<?> sent)
            throws ExecutionException, InterruptedException, TimeoutException {
        while (!sent.isDone()) {
            long taken = tookAt;
            try {
                sent.get(SENDS_WITHIN_NANOS - (System.nanoTime() - taken), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (tookAt == taken) {
                    throw e;
                }
            }
        }
        sent.get();
    }

    /** How long nothing was heard, not even a part of a message. */
    long silentNanos() {
        return System.nanoTime() - heardAt;
    }

    /** Waits for the end; null when it is not over within this time. */
    @Nullable
    End awaitEnd(Duration atMost) throws InterruptedException {
        try {
            return end.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            return new End(1006, String.valueOf(e.getMessage()));
        }
    }

    boolean over() {
        return end.isDone();
    }

    /** Says goodbye. */
    void close(int code, String reason) {
        WebSocket open = socket;
        if (open != null && !end.isDone()) {
            open.sendClose(code, reason);
        }
    }

    /** Cuts it, without waiting for anybody. */
    void abort(String reason) {
        // First, for a socket that opens just now.
        end.complete(new End(1006, reason));
        WebSocket open = socket;
        if (open != null) {
            open.abort();
        }
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        heardAt = System.nanoTime();
        if (end.isDone()) {
            // It was given up: nobody would ever say hello on it.
            opened.abort();
            return;
        }
        opened.request(AHEAD);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heardAt = System.nanoTime();
        if (partial.length() + data.length() > 4 * Protocol.MAX_FRAME_BYTES) {
            abort("a message that is too large");
            return null;
        }
        partial.append(data);
        if (last) {
            String text = partial.toString();
            partial.setLength(0);
            inTurn(() -> handle(from, text));
        } else {
            from.request(1);
        }
        return null;
    }

    private void handle(WebSocket from, String text) {
        if (end.isDone()) {
            return;
        }
        try {
            received.accept(text);
        } catch (RuntimeException e) {
            LOG.errorf(e, "a message of the code service could not be handled");
        }
        from.request(1);
    }

    /** After all that came before it; the end of a connection waits for its last message. */
    private void inTurn(Runnable task) {
        try {
            handler.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("something came after the end of the connection");
        }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        inTurn(() -> end.complete(new End(code, reason)));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        inTurn(() -> end.complete(new End(1006, failure.getMessage() == null ? "lost" : failure.getMessage())));
    }
}
