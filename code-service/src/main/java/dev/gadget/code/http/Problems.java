package dev.gadget.code.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.Problem;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.Response;
import java.util.Optional;

/** Failures as RFC 9457 shapes them. */
public final class Problems {
    /** The media type of every failure. */
    public static final String MEDIA_TYPE = "application/problem+json";
    /** What 401 says, whatever was shown or not shown. */
    public static final String SIGN_IN =
            "This wants somebody who is signed in: sign in, or send 'Authorization: Bearer' with a token that is neither expired nor revoked.";

    private static final ObjectWriter WRITER = JsonMapper.builder().build().writerFor(Problem.class);

    private Problems() {}

    public static Problem of(FailureCode code, String detail, Optional<String> field) {
        return new Problem(
                "about:blank",
                HttpResponseStatus.valueOf(code.httpStatus()).reasonPhrase(),
                code.httpStatus(),
                code,
                detail,
                field.orElse(null));
    }

    public static Response response(Problem problem) {
        return Response.status(problem.status())
                .type(MEDIA_TYPE)
                .entity(problem)
                .build();
    }

    /** Answers with it where no REST endpoint is reached. */
    public static void send(RoutingContext context, Problem problem) {
        HttpServerResponse response = context.response();
        if (response.ended() || response.headWritten()) {
            return;
        }
        response.setStatusCode(problem.status())
                .putHeader("Content-Type", MEDIA_TYPE)
                .end(json(problem));
    }

    private static String json(Problem problem) {
        try {
            return WRITER.writeValueAsString(problem);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a problem cannot be written", e);
        }
    }
}
