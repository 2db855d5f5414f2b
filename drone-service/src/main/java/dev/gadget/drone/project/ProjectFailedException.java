package dev.gadget.drone.project;

import dev.gadget.model.FailureCode;

/** A project cannot be worked on; the message says why and what to do. */
public final class ProjectFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;

    ProjectFailedException(FailureCode code, String message) {
        super(message);
        this.code = code;
    }

    public FailureCode code() {
        return code;
    }
}
