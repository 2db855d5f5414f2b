package dev.gadget.code.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.gadget.code.RefusedException;
import dev.gadget.code.TooManyAttemptsException;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.Problem;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Every exception that a REST endpoint can end with, as a problem. */
public class ExceptionProblems {
    private static final Logger LOG = Logger.getLogger(ExceptionProblems.class);

    @ServerExceptionMapper
    Response refused(RefusedException refused) {
        Problem problem = Problems.of(refused.code(), String.valueOf(refused.getMessage()), refused.field());
        if (refused instanceof TooManyAttemptsException tooMany) {
            return Response.fromResponse(Problems.response(problem))
                    .header("Retry-After", tooMany.retryAfterSeconds())
                    .build();
        }
        return Problems.response(problem);
    }

    @ServerExceptionMapper
    Response store(StoreException failure) {
        String detail = switch (failure.code()) {
            case CONFLICT -> "There is one like this already.";
            case CHANGED_MEANWHILE -> "Somebody changed it at the same moment. Read it again and repeat the change.";
            default -> {
                LOG.warnf("a request failed on the store: %s", failure.getMessage());
                yield "The store does not answer now. Try again in a moment.";
            }
        };
        return problem(failure.code(), detail);
    }

    @ServerExceptionMapper
    Response json(MismatchedInputException failure) {
        return Problems.response(JsonProblems.of(failure));
    }

    @ServerExceptionMapper
    Response json(JsonProcessingException failure) {
        return Problems.response(JsonProblems.of(failure));
    }

    @ServerExceptionMapper
    Response violated(ConstraintViolationException failure) {
        ConstraintViolation<?> first =
                failure.getConstraintViolations().stream().findFirst().orElse(null);
        if (first == null) {
            return problem(FailureCode.INVALID_FIELD, "A value is not one that is possible here.");
        }
        Optional<String> field = field(first.getPropertyPath());
        if (field.isEmpty()) {
            return problem(FailureCode.MALFORMED_REQUEST, "The request has to have a JSON body.");
        }
        return Problems.response(
                Problems.of(FailureCode.INVALID_FIELD, "The value " + first.getMessage() + ".", field));
    }

    /** Without the method and its parameter, which stand first in the path of a method's constraint. */
    private static Optional<String> field(Path path) {
        StringBuilder text = new StringBuilder();
        for (Path.Node node : path) {
            switch (node.getKind()) {
                case PROPERTY -> text.append(text.isEmpty() ? "" : ".").append(node.getName());
                default -> {
                    // The method, its parameter, or a list's element: not what the sender named.
                }
            }
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
    }

    @ServerExceptionMapper
    Response unauthenticated(UnauthorizedException failure) {
        return challenge();
    }

    @ServerExceptionMapper
    Response unauthenticated(AuthenticationFailedException failure) {
        return challenge();
    }

    private static Response challenge() {
        return Response.fromResponse(problem(FailureCode.UNAUTHENTICATED, Problems.SIGN_IN))
                .header("WWW-Authenticate", "Bearer")
                .build();
    }

    @ServerExceptionMapper
    Response forbidden(ForbiddenException failure) {
        return problem(FailureCode.FORBIDDEN, "Your account may not do this.");
    }

    @ServerExceptionMapper
    Response http(WebApplicationException failure) {
        if (failure.getCause() instanceof JsonProcessingException json) {
            return Problems.response(JsonProblems.of(json));
        }
        int status = failure.getResponse().getStatus();
        return switch (status) {
            case 400 -> problem(FailureCode.MALFORMED_REQUEST, "The request cannot be understood.");
            case 401 -> challenge();
            case 403 -> problem(FailureCode.FORBIDDEN, "Your account may not do this.");
            case 404 -> problem(FailureCode.NOT_FOUND, "There is nothing at this address.");
            case 405 -> problem(FailureCode.METHOD_NOT_ALLOWED, "This address does not know this method.");
            case 406 -> problem(FailureCode.NOT_ACCEPTABLE, "None of the accepted media types can be produced here.");
            case 413 -> problem(FailureCode.PAYLOAD_TOO_LARGE, BodyLimit.TOO_LARGE);
            case 415 ->
                problem(
                        FailureCode.UNSUPPORTED_MEDIA_TYPE,
                        "The body has to be JSON: 'Content-Type: application/json'.");
            default -> {
                if (status < 400) {
                    yield failure.getResponse();
                }
                yield internal(failure);
            }
        };
    }

    @ServerExceptionMapper
    Response internal(Throwable failure) {
        LOG.error("a request failed", failure);
        return problem(RefusedException.INTERNAL.code(), RefusedException.INTERNAL.message());
    }

    private static Response problem(FailureCode code, String detail) {
        return Problems.response(Problems.of(code, detail, Optional.empty()));
    }
}
