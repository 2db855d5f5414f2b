package dev.gadget.drone.link;

/** Who is told that there is something to send. */
@FunctionalInterface
interface News {
    /** Another thread sends it, soon. */
    void wake();

    /**
     * It is sent on this thread, which costs less than to wake another, unless it would have to wait for that. To be called without any lock:
     * everybody who may have something to say is asked for it.
     */
    default void send() {
        wake();
    }
}
