package dev.gadget.code.socket;

import dev.gadget.code.http.Cutoff;
import dev.gadget.code.http.Outflow;
import io.netty.channel.ChannelFuture;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One WebSocket that is open. It reads and writes on one event loop: what is written from there needs no other thread to be woken. */
public final class SocketHandle {
    private static final long PING_MILLIS = TimeUnit.SECONDS.toMillis(20);
    private static final long GOODBYE_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final Outflow outflow;
    private final Vertx vertx;
    private final ContextInternal context;
    private final Thread eventLoop;
    private final long pings;
    private final TextLane lane;
    private final Consumer<CloseReason> closes;
    private Runnable afterwards = () -> {};
    private CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);
    private volatile boolean closing;

    /**
     * To be made on the event loop of the socket.
     *
     * @param closes hears why it is closed from here
     */
    SocketHandle(ServerWebSocket socket, HttpConnection connection, Vertx vertx, Consumer<CloseReason> closes) {
        this.closes = closes;
        this.socket = socket;
        this.connection = connection;
        this.outflow = new Outflow(connection);
        this.vertx = vertx;
        this.context = (ContextInternal) vertx.getOrCreateContext();
        this.lane = TextLane.lay(connection, context);
        this.eventLoop = Thread.currentThread();
        // Keeps it alive through proxies, and finds out when the other end is gone.
        this.pings = vertx.setPeriodic(PING_MILLIS, _ -> ping());
    }

    /** Behind what does not get out it would find out nothing. */
    private void ping() {
        if (outflow.waiting() == 0) {
            socket.writePing(Buffer.buffer());
        }
    }

    /** Asks the other end for a sign of life; done when it answers, which it does by itself for as long as it is there. */
    public synchronized CompletableFuture<Boolean> ask() {
        if (answer.isDone()) {
            answer = new CompletableFuture<>();
            run(() -> socket.writePing(Buffer.buffer()));
        }
        return answer;
    }

    private synchronized void answered() {
        answer.complete(true);
    }

    /** Whether nothing of what is sent since then gets out any more; 0 for nothing. */
    boolean stalled(long since) {
        return outflow.stalled(since);
    }

    void listen(SocketListener listener) {
        lane.listen(text -> said(listener, text), listener::saidPart, listener::saidAll);
        // What comes in parts.
        socket.textMessageHandler(text -> said(listener, text));
        socket.binaryMessageHandler(
                _ -> listener.failed(new IllegalArgumentException("a binary message, where only texts are known")));
        socket.pongHandler(_ -> answered());
        socket.exceptionHandler(listener::failed);
        socket.closeHandler(_ -> {
            vertx.cancelTimer(pings);
            afterwards.run();
            listener.closed();
        });
    }

    private void said(SocketListener listener, String text) {
        if (!closing) {
            listener.said(text);
        }
    }

    /** Whether it is closed from here: who was shut out is not obeyed while the goodbye is on its way. */
    public boolean closing() {
        return closing;
    }

    /** Does it once the socket is closed, perhaps now; one action only. Called on its event loop. */
    void whenClosed(Runnable action) {
        afterwards = action;
        if (socket.isClosed()) {
            action.run();
        }
    }

    /** Sends one text message; whatever is sent from the event loop keeps its order. */
    ChannelFuture send(String text) {
        return lane.send(text);
    }

    /** Closes it after everything that was sent before; at once when that does not get through. */
    public void close(CloseReason why) {
        closing = true;
        goodbye(why);
        cutOffLater();
    }

    /** The same, with one last message before. */
    public void closeAfter(String last, CloseReason why) {
        closing = true;
        send(last).addListener(sent -> {
            if (sent.isSuccess()) {
                goodbye(why);
            }
        });
        cutOffLater();
    }

    private void goodbye(CloseReason why) {
        if (!socket.isClosed()) {
            closes.accept(why);
        }
        socket.close((short) why.code(), why.reason());
    }

    private void cutOffLater() {
        vertx.setTimer(GOODBYE_MILLIS, _ -> {
            if (!socket.isClosed()) {
                Cutoff.cut(connection);
            }
        });
    }

    /**
     * Lets the round of its event loop last so long, and the sockets there be read at once for what came meanwhile: a read for each few
     * words costs more than the words. Called on that event loop, on which everything waits.
     */
    public void rest(long millis) {
        if (millis > 0) {
            Rounds.here().last(context.nettyEventLoop(), millis);
        }
    }

    /** Whether this thread is the one on which it reads and writes. */
    boolean isHere() {
        return Thread.currentThread() == eventLoop;
    }

    /** Does it after so many milliseconds; called on its event loop, and done there. */
    void after(long millis, Runnable action) {
        Ticker.here().after(vertx, millis, action);
    }

    /** Does it on its event loop, soon. */
    void run(Runnable action) {
        context.runOnContext(_ -> action.run());
    }
}
