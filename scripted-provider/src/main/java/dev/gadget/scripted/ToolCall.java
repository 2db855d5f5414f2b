package dev.gadget.scripted;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tool call that the scripted model makes.
 *
 * @param arguments JSON text, also a wrong one
 */
public record ToolCall(String id, String name, String arguments) {
    /** Starts anywhere, so that a restarted provider does not give the same ids again. */
    private static final AtomicLong IDS = new AtomicLong(new SecureRandom().nextLong(1L << 48));

    /** A call with an id of its own. */
    public static ToolCall of(String name, String arguments) {
        return new ToolCall("call_" + Long.toString(IDS.incrementAndGet(), 36), name, arguments);
    }
}
