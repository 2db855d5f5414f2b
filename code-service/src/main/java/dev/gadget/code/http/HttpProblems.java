package dev.gadget.code.http;

import dev.gadget.model.FailureCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** Problems for what no REST endpoint answers: unknown addresses, and bodies that are too long to be read. */
@ApplicationScoped
public class HttpProblems {
    static final String TOO_LARGE = "The body is longer than the 2 MB that are accepted here.";
    /** As quarkus.http.limits.max-body-size. */
    private static final long MAX_BODY = 2L << 20;

    private static final int AFTER_ALL_OTHERS = Integer.MAX_VALUE - 10;
    private static final int BEFORE_THE_FRAMEWORK = 300;

    void filters(@Observes Filters filters) {
        filters.register(HttpProblems::refuseLongBody, BEFORE_THE_FRAMEWORK);
    }

    void routes(@Observes Router router) {
        router.route("/api/*").order(AFTER_ALL_OTHERS).handler(HttpProblems::unknown);
        router.route("/ws/*").order(AFTER_ALL_OTHERS).handler(HttpProblems::unknown);
    }

    private static void unknown(RoutingContext context) {
        Problems.send(
                context, Problems.of(FailureCode.NOT_FOUND, "There is nothing at this address.", Optional.empty()));
    }

    /** The framework does it too, but without a problem document. */
    private static void refuseLongBody(RoutingContext context) {
        String length = context.request().getHeader("Content-Length");
        if (length == null || !isTooLong(length)) {
            context.next();
            return;
        }
        // The body is not read, so the connection cannot be used again.
        context.response().putHeader("Connection", "close");
        Problems.send(context, Problems.of(FailureCode.PAYLOAD_TOO_LARGE, TOO_LARGE, Optional.empty()));
    }

    private static boolean isTooLong(String length) {
        try {
            return Long.parseLong(length) > MAX_BODY;
        } catch (NumberFormatException _) {
            return false; // which the framework refuses in its own way
        }
    }
}
