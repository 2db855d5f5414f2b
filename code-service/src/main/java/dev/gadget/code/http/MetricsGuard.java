package dev.gadget.code.http;

import dev.gadget.code.config.CodeConfig;
import dev.gadget.model.FailureCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Metrics tell of versions and of what everybody does: they are for programs of this machine, and for those who were given the token. */
@ApplicationScoped
public class MetricsGuard {
    private static final String PATH = "/q/metrics";
    private static final String BEARER = "Bearer ";
    private static final List<String> OF_PROXIES = List.of("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via");
    /** A page of another site whose name leads to this machine does not name it so. */
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private final boolean open;
    private final Optional<String> token;

    MetricsGuard(CodeConfig config) {
        this.open = config.metrics().open();
        this.token = config.metrics().token();
    }

    void filters(@Observes Filters filters) {
        filters.register(this::check, OriginGuard.PRIORITY);
    }

    private void check(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!Requests.isUnder(context.normalizedPath(), PATH) || open || isKnown(request) || isFromHere(request)) {
            context.next();
            return;
        }
        Problems.send(
                context,
                Problems.of(
                        FailureCode.FORBIDDEN,
                        "Metrics are read from this machine, or with the bearer token of gadget.metrics.token.",
                        Optional.empty()));
    }

    private boolean isKnown(HttpServerRequest request) {
        String said = request.getHeader("Authorization");
        return token.isPresent()
                && said != null
                && said.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(
                        said.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8),
                        token.get().getBytes(StandardCharsets.UTF_8));
    }

    /** Not by a proxy on this machine, which passes on what others ask. */
    private static boolean isFromHere(HttpServerRequest request) {
        String from = request.remoteAddress().hostAddress();
        HostAndPort asked = request.authority();
        return from != null
                && isLoopback(from)
                && asked != null
                && THIS_MACHINE.contains(asked.host().toLowerCase(Locale.ROOT))
                && OF_PROXIES.stream().noneMatch(request.headers()::contains);
    }

    private static boolean isLoopback(String address) {
        try {
            return InetAddress.ofLiteral(address).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            // A proxy may say anything of whom it passes on.
            return false;
        }
    }
}
