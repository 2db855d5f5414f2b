package dev.gadget.code.socket;

import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.UserData;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import jakarta.annotation.Priority;
import jakarta.inject.Singleton;
import java.util.Objects;

/** The last step before a connection becomes a socket: it lets all pass that came so far. */
@Singleton
@Priority(Integer.MIN_VALUE)
public final class Upgrade implements HttpUpgradeCheck {
    static final UserData.TypedKey<HttpConnection> CONNECTION = new UserData.TypedKey<>("http-connection");
    private static final UserData.TypedKey<Context> EVENT_LOOP = new UserData.TypedKey<>("event-loop");

    /** Where this socket reads and writes: what is written from there needs no other thread to be woken. */
    public static Context eventLoop(WebSocketConnection socket) {
        return Objects.requireNonNull(socket.userData().get(EVENT_LOOP), "a socket has an event loop");
    }

    /**
     * Goes on on the connection's event loop. Who signs in is looked up on another thread, and were the upgrade to go on there, the
     * first message of a quick client could come before anybody listens, and would be lost.
     */
    @Override
    public Uni<CheckResult> perform(HttpUpgradeContext context) {
        context.userData().put(CONNECTION, context.httpRequest().connection());
        Context eventLoop = Vertx.currentContext();
        if (eventLoop != null) {
            context.userData().put(EVENT_LOOP, eventLoop);
        }
        Uni<CheckResult> permitted = CheckResult.permitUpgrade();
        return eventLoop == null ? permitted : permitted.emitOn(step -> eventLoop.runOnContext(_ -> step.run()));
    }
}
