package dev.gadget.code.socket;

/** Hears what comes over one socket, in order, on the socket's event loop. */
public interface SocketListener {
    /** A whole text message. */
    void said(String text);

    /** A part of a message came, of which the rest is on its way. */
    default void saidPart() {}

    /** That was all that could be read now. */
    default void saidAll() {}

    /** Something came that is no text message, or is too large: what follows it cannot be trusted. */
    void failed(Throwable failure);

    /** The token that opened the socket was revoked, or has expired: it has to be closed. Said on any thread. */
    void signedOut();

    /** The socket is closed, by either side; said once, as the last. */
    void closed();
}
