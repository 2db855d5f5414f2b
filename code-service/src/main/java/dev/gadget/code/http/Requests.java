package dev.gadget.code.http;

import io.vertx.core.http.HttpServerRequest;

/** What several parts of the edge ask of a request. */
public final class Requests {
    private Requests() {}

    /** Whether the browser speaks TLS, to this service or to a proxy before it. */
    public static boolean overTls(HttpServerRequest request) {
        return request.isSSL()
                || "https".equals(request.scheme())
                || "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"));
    }

    /** Whether it is for a program, not for the page. */
    static boolean isForPrograms(String path) {
        return isUnder(path, "/api") || isUnder(path, "/ws") || isUnder(path, "/q");
    }

    static boolean isUnder(String path, String folder) {
        return path.startsWith(folder) && (path.length() == folder.length() || path.charAt(folder.length()) == '/');
    }
}
