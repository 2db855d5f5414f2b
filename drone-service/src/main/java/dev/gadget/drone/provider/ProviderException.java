package dev.gadget.drone.provider;

import dev.gadget.model.Failure;
import dev.gadget.model.FailureCode;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model endpoint did not do what was asked; says what to check. */
public class ProviderException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final @Nullable Duration retryAfter;

    public ProviderException(FailureCode code, String message) {
        this(code, message, null, null);
    }

    public ProviderException(FailureCode code, String message, Throwable cause) {
        this(code, message, null, cause);
    }

    public ProviderException(
            FailureCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryAfter = retryAfter;
    }

    public Failure failure() {
        return new Failure(code, String.valueOf(getMessage()));
    }

    /** How long the endpoint asked to wait. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
