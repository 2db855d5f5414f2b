package dev.gadget.drone.git;

/** Git could not do what was asked; the message is what it said. */
public final class GitFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GitFailedException(String message) {
        super(message);
    }
}
