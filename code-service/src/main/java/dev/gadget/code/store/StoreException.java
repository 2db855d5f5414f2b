package dev.gadget.code.store;

import dev.gadget.model.FailureCode;

/** The store could not do what was asked: it is away, the document changed meanwhile, or a unique key is taken. */
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

    /** {@code STORE_UNAVAILABLE}, {@code CHANGED_MEANWHILE} or {@code CONFLICT}. */
    public FailureCode code() {
        return code;
    }
}
