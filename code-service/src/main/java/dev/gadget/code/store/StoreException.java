package dev.gadget.code.store;

import dev.gadget.model.FailureCode;

/**
 * The store could not do what was asked: it is away, the document changed meanwhile, a unique key is taken, or it takes no such
 * document.
 */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;

    public StoreException(FailureCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public StoreException(FailureCode code, String message) {
        super(message);
        this.code = code;
    }

    /** {@code STORE_UNAVAILABLE}, {@code CHANGED_MEANWHILE}, {@code CONFLICT}, or those of {@link #isForGood}. */
    public FailureCode code() {
        return code;
    }

    /** Whether the same document is refused however often it is tried: it is too large, or not as the store wants it. */
    public boolean isForGood() {
        return code == FailureCode.PAYLOAD_TOO_LARGE || code == FailureCode.INVALID_FIELD;
    }
}
