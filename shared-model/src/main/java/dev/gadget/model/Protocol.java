package dev.gadget.model;

/** The version of the WebSocket protocols, and the limits that both ends keep. */
public final class Protocol {
    /** Raised when a message changes in a way that an older reader would misread. */
    public static final int VERSION = 1;

    /** The largest frame that either end accepts, in bytes. */
    public static final int MAX_FRAME_BYTES = 1 << 20;

    /** The size at which a sender closes a batch and starts the next, in bytes. */
    public static final int BATCH_BYTES = 32 << 10;

    /** The longest prompt, in characters. */
    public static final int MAX_PROMPT_CHARS = 200_000;

    /** The longest prompt that goes into a turn that runs: with every one of its characters escaped it still fits a frame. */
    public static final int MAX_STEER_CHARS = 100_000;

    /** The largest file that is read or written as text, and the longest diff, in bytes. */
    public static final int MAX_TEXT_BYTES = 1 << 20;

    /** How much of such a text goes into one message, in UTF-16 units; with every one of them escaped it still fits a frame. */
    public static final int TEXT_PART_CHARS = 16 << 10;

    /** How often each end says that it is alive, in seconds. */
    public static final int HEARTBEAT_SECONDS = 10;

    /** How long a lease lives without a heartbeat, in seconds. */
    public static final int LEASE_SECONDS = 30;

    private Protocol() {}
}
