package dev.gadget.code.http;

import dev.gadget.model.FailureCode;
import io.quarkus.vertx.http.runtime.RouteConstants;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Optional;

/** Answers an address inside the page with the page itself, which finds out what to show; whatever else is unknown is not found. */
@ApplicationScoped
public class PageRoutes {
    private static final String PAGE = "/index.html";
    /** And before REST, which takes every address that is left and answers what it does not know. */
    private static final int AFTER_FILES_AND_SOCKETS = RouteConstants.ROUTE_ORDER_AFTER_DEFAULT - 1;

    void routes(@Observes Router router) {
        router.route("/ws/*").order(AFTER_FILES_AND_SOCKETS).handler(PageRoutes::unknown);
        router.route()
                .method(HttpMethod.GET)
                .method(HttpMethod.HEAD)
                .order(AFTER_FILES_AND_SOCKETS)
                .handler(PageRoutes::page);
    }

    private static void page(RoutingContext context) {
        String path = context.normalizedPath();
        if (Requests.isForPrograms(path)) {
            context.next();
        } else if (path.equals("/") || path.equals(PAGE)) {
            Problems.send(
                    context,
                    Problems.of(
                            FailureCode.NOT_FOUND,
                            "This program was built without its page (skip.frontend).",
                            Optional.empty()));
        } else if (Requests.isUnder(path, "/assets") || isFile(path)) {
            unknown(context);
        } else {
            context.reroute(PAGE);
        }
    }

    private static void unknown(RoutingContext context) {
        Problems.send(
                context, Problems.of(FailureCode.NOT_FOUND, "There is nothing at this address.", Optional.empty()));
    }

    private static boolean isFile(String path) {
        return path.indexOf('.', path.lastIndexOf('/') + 1) >= 0;
    }
}
