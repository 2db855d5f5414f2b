package dev.gadget.code.http;

import dev.gadget.model.FailureCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** Refuses what fails before a REST endpoint is reached: bodies that are too long to be read. */
@ApplicationScoped
public class BodyLimit {
    static final String TOO_LARGE = "The body is longer than the 2 MB that are accepted here.";
    /** As quarkus.http.limits.max-body-size. */
    private static final long MAX_BODY = 2L << 20;

    private static final int BEFORE_THE_FRAMEWORK = 300;

    void filters(@Observes Filters filters) {
        filters.register(BodyLimit::refuseLongBody, BEFORE_THE_FRAMEWORK);
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
