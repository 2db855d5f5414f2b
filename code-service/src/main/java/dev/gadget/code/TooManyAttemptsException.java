package dev.gadget.code;

import dev.gadget.model.FailureCode;
import java.time.Duration;

/** Refused for now, because of too many failures before; says when to come back. */
public class TooManyAttemptsException extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final long retryAfterSeconds;

    public TooManyAttemptsException(Duration wait) {
        super(
                FailureCode.TOO_MANY_ATTEMPTS,
                "There were too many failed attempts. Try again in " + seconds(wait) + " seconds.");
        this.retryAfterSeconds = seconds(wait);
    }

    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    private static long seconds(Duration wait) {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
