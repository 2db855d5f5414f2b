package dev.gadget.drone.mcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A server could not do what was asked; the message says so to a person and to a model. */
public final class McpException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What came in between. */
    enum Kind {
        /** It cannot be started as it is configured. */
        UNUSABLE,
        /** It answered, but not as the protocol says, or with an error. */
        REFUSED,
        /** It ended, or the connection did. */
        BROKEN,
        /** It did not answer in time. */
        TIMED_OUT,
        /** The person stopped the turn. */
        CANCELLED,
        /** It has forgotten this session, and did nothing. */
        SESSION_GONE
    }

    private final Kind kind;

    McpException(Kind kind, String message) {
        this(kind, message, null);
    }

    McpException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** The same for another caller. */
    McpException again() {
        return new McpException(kind, String.valueOf(getMessage()), this);
    }

    static McpException cancelled() {
        return new McpException(Kind.CANCELLED, "Stopped by the person.");
    }
}
