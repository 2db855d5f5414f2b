package dev.gadget.code;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that cannot be done, for a reason that its sender is told: the code decides the HTTP status. */
public class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What whoever asked is told of what went wrong in the service itself. */
    public static final Failure INTERNAL =
            new Failure(FailureCode.INTERNAL, "Something went wrong inside the service. Its log says what.");

    private final FailureCode code;
    private final @Nullable String field;

    public RefusedException(FailureCode code, String message) {
        this(code, message, null);
    }

    /** @param field the field of the request that is wrong, as its sender named it */
    public RefusedException(FailureCode code, String message, @Nullable String field) {
        super(message);
        this.code = code;
        this.field = field;
    }

    public FailureCode code() {
        return code;
    }

    public Optional<String> field() {
        return Optional.ofNullable(field);
    }

    /** The same without its field, as sockets and turns carry it. */
    public Failure failure() {
        return new Failure(code, String.valueOf(getMessage()));
    }
}
