package dev.gadget.code.socket;

import dev.gadget.code.http.Cutoff;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.UserData;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpConnection;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Closes sockets with a word, and without one where the word does not get through. */
@Singleton
public final class Goodbye implements HttpUpgradeCheck {
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final UserData.TypedKey<HttpConnection> CONNECTION = new UserData.TypedKey<>("http-connection");

    /** Lets every upgrade pass, and remembers what it came over. */
    @Override
    public Uni<CheckResult> perform(HttpUpgradeContext context) {
        context.userData().put(CONNECTION, context.httpRequest().connection());
        return CheckResult.permitUpgrade();
    }

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
        HttpConnection connection = socket.userData().get(CONNECTION);
        if (connection != null) {
            Cutoff.cut(connection);
        }
    }
}
