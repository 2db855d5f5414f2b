package dev.gadget.code.socket;

import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.UserData;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import jakarta.annotation.Priority;
import jakarta.inject.Singleton;

/** The last step before a connection becomes a socket: it lets all pass that came so far. */
@Singleton
@Priority(Integer.MIN_VALUE)
public final class Upgrade implements HttpUpgradeCheck {
    static final UserData.TypedKey<HttpConnection> CONNECTION = new UserData.TypedKey<>("http-connection");

    /**
     * Goes on on the connection's event loop. Who signs in is looked up on another thread, and were the upgrade to go on there, the
     * first message of a quick client could come before anybody listens, and would be lost.
     */
    @Override
    public Uni<CheckResult> perform(HttpUpgradeContext context) {
        context.userData().put(CONNECTION, context.httpRequest().connection());
        Context eventLoop = Vertx.currentContext();
        Uni<CheckResult> permitted = CheckResult.permitUpgrade();
        return eventLoop == null ? permitted : permitted.emitOn(step -> eventLoop.runOnContext(_ -> step.run()));
    }
}
