package dev.gadget.code.account;

import dev.gadget.code.http.Requests;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The cookie that a browser is signed in with: no script reads it and no other site sends it. */
final class SessionCookie {
    private static final String NAME = "gadget_session";
    /** Under TLS the prefix makes the browser refuse one that was set without TLS or by another host of the domain. */
    private static final String SECURE_NAME = "__Host-gadget_session";

    private SessionCookie() {}

    static @Nullable String read(HttpServerRequest request) {
        Cookie cookie = request.getCookie(name(request));
        return cookie == null || cookie.getValue().isEmpty() ? null : cookie.getValue();
    }

    static void write(HttpServerRequest request, String token, Duration lifetime) {
        request.response().addCookie(make(request, token).setMaxAge(lifetime.toSeconds()));
    }

    static void remove(HttpServerRequest request) {
        request.response().addCookie(make(request, "").setMaxAge(0));
    }

    private static Cookie make(HttpServerRequest request, String value) {
        return Cookie.cookie(name(request), value)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(Requests.overTls(request))
                .setSameSite(CookieSameSite.STRICT);
    }

    private static String name(HttpServerRequest request) {
        return Requests.overTls(request) ? SECURE_NAME : NAME;
    }
}
