package dev.gadget.drone.link;

/** The code service does not want this drone (any more): coming back would not help. The message is for the drone's owner. */
public class LinkEndedException extends Exception {
    private static final long serialVersionUID = 1L;

    public LinkEndedException(String message) {
        super(message);
    }
}
