package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Every failure that a person or a program can meet: its stable wire name, its HTTP status, and whether trying again can help. */
public enum FailureCode {
    // What a caller sent.
    MALFORMED_REQUEST(400, false),
    INVALID_FIELD(422, false),
    UNKNOWN_FIELD(400, false),
    PROMPT_TOO_LONG(422, false),
    UNAUTHENTICATED(401, false),
    WRONG_CREDENTIALS(401, false),
    TOO_MANY_ATTEMPTS(429, true),
    FORBIDDEN(403, false),
    FOREIGN_ORIGIN(403, false),
    NOT_FOUND(404, false),
    NOT_ACCEPTABLE(406, false),
    METHOD_NOT_ALLOWED(405, false),
    UNSUPPORTED_MEDIA_TYPE(415, false),
    PAYLOAD_TOO_LARGE(413, false),
    CONFLICT(409, false),
    CHANGED_MEANWHILE(409, true),
    TURN_RUNNING(409, true),
    TURN_ENDED(409, false),
    SESSION_LOCKED(409, true),
    NO_DRONE(503, true),
    DRONE_BUSY(503, true),
    CODE_USED_OR_EXPIRED(422, false),
    STORE_UNAVAILABLE(503, true),
    QUOTA_REACHED(429, true),
    INTERNAL(500, true),

    // What a model provider did.
    PROVIDER_UNREACHABLE(502, true),
    PROVIDER_UNAUTHORIZED(502, false),
    PROVIDER_REFUSED(502, false),
    MODEL_NOT_FOUND(502, false),
    RATE_LIMITED(502, true),
    PROVIDER_ERROR(502, true),
    PROVIDER_PROTOCOL(502, false),
    CONTEXT_OVERFLOW(502, false),
    TRUNCATED(502, true),
    STALLED(504, true),
    OUTPUT_LIMIT(502, false),

    // What happened on the way.
    DRONE_LOST(503, true),
    DRONE_REJECTED(503, true),
    LEASE_LOST(409, false),
    OUTDATED_FENCE(409, false),
    SEQUENCE_GAP(409, true),
    PROTOCOL_MISMATCH(426, false),
    FRAME_INVALID(400, false),
    SLOW_READER(503, true),
    UNKNOWN_CURSOR(409, true),
    JOURNAL_FAILED(500, false),
    WORKSPACE_LOCKED(409, false),
    WORKSPACE_UNUSABLE(500, false),
    GIT_FAILED(502, true),
    LIMIT_REACHED(409, false),
    CANCELLED(409, false);

    private final int httpStatus;
    private final boolean retryable;

    FailureCode(int httpStatus, boolean retryable) {
        this.httpStatus = httpStatus;
        this.retryable = retryable;
    }

    /** The name on the wire, for example {@code no_drone}. */
    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The HTTP status of a request that fails with it. */
    public int httpStatus() {
        return httpStatus;
    }

    /** Whether the same request may succeed later, unchanged. */
    public boolean retryable() {
        return retryable;
    }
}
