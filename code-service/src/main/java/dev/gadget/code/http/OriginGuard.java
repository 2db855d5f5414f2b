package dev.gadget.code.http;

import dev.gadget.code.config.CodeConfig;
import dev.gadget.model.FailureCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other sites from acting through a browser that is signed in here: requests that change something, and sockets, have to come
 * from the page itself. Programs send no Origin, and a bearer token is nothing that a browser adds by itself, so both pass.
 */
@ApplicationScoped
public class OriginGuard {
    static final int PRIORITY = 200;

    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

    private final Set<String> allowed;

    OriginGuard(CodeConfig config) {
        this.allowed = config.allowedOrigins().orElse(List.of()).stream()
                .map(origin -> origin.strip().toLowerCase(Locale.ROOT).replaceAll("/+$", ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    void filters(@Observes Filters filters) {
        filters.register(this::check, PRIORITY);
    }

    private void check(RoutingContext context) {
        HttpServerRequest request = context.request();
        if (!isGuarded(request) || isOurs(request)) {
            context.next();
            return;
        }
        Problems.send(
                context,
                Problems.of(
                        FailureCode.FOREIGN_ORIGIN,
                        "This was sent by a page of another origin. If that page is this service behind a proxy, name its origin in gadget.allowed-origins.",
                        Optional.empty()));
    }

    /** By what it asks for and never by its address, which can be spelled in many ways. */
    private static boolean isGuarded(HttpServerRequest request) {
        boolean changes = !SAFE.contains(request.method()) || request.headers().contains("Upgrade");
        String authorization = request.getHeader("Authorization");
        return changes && (authorization == null || !authorization.regionMatches(true, 0, "Bearer ", 0, 7));
    }

    private boolean isOurs(HttpServerRequest request) {
        String origin = request.getHeader("Origin");
        if (origin != null && allowed.contains(origin.toLowerCase(Locale.ROOT))) {
            return true;
        }
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin") || site.equals("none");
        }
        return origin == null || isHost(origin, request.authority());
    }

    private static boolean isHost(String origin, @Nullable HostAndPort host) {
        if (host == null) {
            return false;
        }
        URI uri;
        try {
            uri = new URI(origin);
        } catch (URISyntaxException _) {
            return false;
        }
        int standard = "https".equals(uri.getScheme()) ? 443 : 80;
        return host.host().equalsIgnoreCase(uri.getHost())
                && (host.port() <= 0 ? standard : host.port()) == (uri.getPort() < 0 ? standard : uri.getPort());
    }
}
