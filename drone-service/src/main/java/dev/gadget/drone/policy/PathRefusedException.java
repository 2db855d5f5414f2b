package dev.gadget.drone.policy;

/** A path that a tool may not touch; the message is told to the model. */
public final class PathRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PathRefusedException(String message) {
        super(message);
    }
}
