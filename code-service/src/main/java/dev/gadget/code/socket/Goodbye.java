package dev.gadget.code.socket;

import dev.gadget.code.http.Cutoff;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;

/** Closes sockets with a word, and without one where the word does not get through. */
public final class Goodbye {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private Goodbye() {}

    /** Closes it after everything that was sent before; at once when that does not get through. */
    public static void say(WebSocketConnection socket, CloseReason why) {
        whenOver(socket, socket.close(why));
    }

    /** The same, with one last message before. */
    public static void say(WebSocketConnection socket, String last, CloseReason why) {
        whenOver(socket, socket.sendText(last).chain(() -> socket.close(why)));
    }

    private static void whenOver(WebSocketConnection socket, Uni<Void> closed) {
        closed.ifNoItem().after(WITHIN).fail().subscribe().with(_ -> {}, _ -> cut(socket));
    }

    private static void cut(WebSocketConnection socket) {
        HttpConnection connection = socket.userData().get(Upgrade.CONNECTION);
        if (connection != null) {
            Cutoff.cut(connection);
        }
    }
}
