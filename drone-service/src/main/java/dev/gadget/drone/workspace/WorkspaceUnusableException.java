package dev.gadget.drone.workspace;

/** The workspace cannot be worked in; the message is one line for the person who started the drone. */
public class WorkspaceUnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    public WorkspaceUnusableException(String message) {
        super(message);
    }

    public WorkspaceUnusableException(String message, Throwable cause) {
        super(message, cause);
    }
}
