package dev.gadget.drone.tool;

/** A tool could not do what was asked; the message tells the model what was found and what to do. */
public final class ToolFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ToolFailedException(String message) {
        super(message);
    }
}
