package dev.gadget.code.socket;

import io.vertx.core.impl.VertxBuilder;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.spi.VertxServiceProvider;

/**
 * Has the sockets wait in epoll in the native executable, too: Quarkus takes the JDK's selectors there, whatever is configured, which cost
 * a tenth more with 500 drones. Where the library cannot be loaded, it stays with those.
 */
public final class EpollSockets implements VertxServiceProvider {
    @Override
    public void init(VertxBuilder builder) {
        var epoll = new EpollTransport();
        if (builder.options().getPreferNativeTransport() && epoll.isAvailable()) {
            builder.findTransport(epoll);
        }
    }
}
