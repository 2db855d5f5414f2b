package dev.gadget.code.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Ends connections whose other end takes nothing any more. An ordinary close waits until everything before it is written, which for
 * a peer that does not read is never.
 */
public final class Cutoff {
    private Cutoff() {}

    /** Ends it now; what was not written is lost. */
    public static void cut(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            // From the outermost handler on: the ones further in would flush first.
            base.channel().pipeline().firstContext().close();
        } else {
            connection.close();
        }
    }
}
