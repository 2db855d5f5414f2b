package dev.gadget.code.http;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;

/** What every answer tells the browser: what the page may load, that nobody may frame it, and how long an answer may be kept. */
@ApplicationScoped
public class SecurityHeaders {
    private static final int BEFORE_ALL_OTHERS = 1000;
    private static final String CONTENT_SECURITY_POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'");

    private static final Map<String, String> ALWAYS = Map.of(
            "Content-Security-Policy", CONTENT_SECURITY_POLICY,
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin");

    void filters(@Observes Filters filters) {
        filters.register(SecurityHeaders::add, BEFORE_ALL_OTHERS);
    }

    private static void add(RoutingContext context) {
        MultiMap headers = context.response().headers();
        ALWAYS.forEach(headers::set);
        if (Requests.overTls(context.request())) {
            headers.set("Strict-Transport-Security", "max-age=31536000");
        }
        context.addHeadersEndHandler(_ -> cache(context, headers));
        context.next();
    }

    /** Last of all, because what serves static files has an opinion of its own. */
    private static void cache(RoutingContext context, MultiMap headers) {
        String path = context.normalizedPath();
        if (Requests.isForPrograms(path)) {
            if (!headers.contains("Cache-Control")) {
                headers.set("Cache-Control", "no-store");
            }
        } else if (Requests.isUnder(path, "/assets") && context.response().getStatusCode() < 400) {
            // Their names hold a hash of what is in them.
            headers.set("Cache-Control", "public, max-age=31536000, immutable");
        } else {
            headers.set("Cache-Control", "no-cache");
        }
    }
}
