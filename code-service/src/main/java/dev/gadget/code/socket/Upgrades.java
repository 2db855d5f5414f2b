package dev.gadget.code.socket;

import dev.gadget.code.account.Caller;
import dev.gadget.code.account.Callers;
import dev.gadget.code.account.TokenAuthentication;
import dev.gadget.code.account.TokenWatch;
import dev.gadget.code.http.Problems;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.Protocol;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.All;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.core.Context;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Turns requests into sockets for those who may have one. The sockets are Vert.x's own: at some ten thousand messages a second what a
 * framework does around each of them is most of what they cost.
 */
@ApplicationScoped
class Upgrades implements HttpServerOptionsCustomizer {
    /** By which the other side is told that it does not take, or say, what it should. */
    private static final List<Integer> SLOW_CODES = List.of(4408, 4409);

    private static final Logger LOG = Logger.getLogger(Upgrades.class);

    private final List<SocketEndpoint> endpoints;
    private final IdentityProviderManager identities;
    private final TokenWatch tokens;
    private final MeterRegistry meters;

    Upgrades(
            @All List<SocketEndpoint> endpoints,
            IdentityProviderManager identities,
            TokenWatch tokens,
            MeterRegistry meters) {
        this.meters = meters;
        this.endpoints = endpoints;
        this.identities = identities;
        this.tokens = tokens;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        limit(options);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        limit(options);
    }

    /** Without compression: it costs more than it saves for messages of a few words, and memory for each connection. */
    private static void limit(HttpServerOptions options) {
        options.setMaxWebSocketFrameSize(Protocol.MAX_FRAME_BYTES)
                .setMaxWebSocketMessageSize(Protocol.MAX_FRAME_BYTES)
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false);
    }

    void routes(@Observes Router router) {
        for (SocketEndpoint endpoint : endpoints) {
            // An alert about the first one needs the zero before it.
            SLOW_CODES.forEach(code -> closes(endpoint, code));
            router.get(endpoint.path()).handler(request -> admit(request, endpoint));
        }
    }

    private void admit(RoutingContext request, SocketEndpoint endpoint) {
        if (!"websocket".equalsIgnoreCase(request.request().getHeader("Upgrade"))) {
            request.next();
            return;
        }
        // Who it is is looked up on another thread. Were the upgrade to go on there, the first message of a quick
        // client
        // could come before anybody listens, and would be lost.
        Context eventLoop = request.vertx().getOrCreateContext();
        QuarkusHttpUser.getSecurityIdentity(request, identities)
                .subscribe()
                .with(
                        identity -> eventLoop.runOnContext(_ -> upgrade(request, endpoint, identity)),
                        failure -> eventLoop.runOnContext(_ -> failed(request, failure)));
    }

    private void upgrade(RoutingContext request, SocketEndpoint endpoint, SecurityIdentity identity) {
        if (identity.isAnonymous()) {
            TokenAuthentication.refuse(request);
        } else if (identity.hasRole(endpoint.role())) {
            HttpConnection connection = request.request().connection();
            request.request()
                    .toWebSocket()
                    .onSuccess(socket -> begin(
                            new SocketHandle(
                                    socket,
                                    connection,
                                    request.vertx(),
                                    why -> closes(endpoint, why.code()).increment()),
                            endpoint,
                            identity))
                    .onFailure(failure -> LOG.debugf(failure, "no socket came of a request for %s", endpoint.path()));
        } else {
            Problems.send(
                    request,
                    Problems.of(
                            FailureCode.FORBIDDEN,
                            "This address is for another kind of client: " + endpoint.path() + " wants the role "
                                    + endpoint.role() + ".",
                            Optional.empty()));
        }
    }

    private Counter closes(SocketEndpoint endpoint, int code) {
        return meters.counter("gadget.sockets.closed", "path", endpoint.path(), "code", Integer.toString(code));
    }

    private void begin(SocketHandle socket, SocketEndpoint endpoint, SecurityIdentity identity) {
        Caller caller = Callers.of(identity);
        SocketListener listener = endpoint.opened(socket, caller);
        socket.listen(listener);
        // Last, because it may be said at once.
        TokenWatch.Watch watch = tokens.watch(caller, listener::signedOut);
        socket.whenClosed(watch::close);
    }

    private static void failed(RoutingContext request, Throwable failure) {
        if (failure instanceof StoreException unavailable) {
            Problems.send(
                    request,
                    Problems.of(
                            unavailable.code(), "The store does not answer now. Try again soon.", Optional.empty()));
        } else {
            LOG.error("who wants a socket cannot be found out", failure);
            request.fail(failure);
        }
    }
}
