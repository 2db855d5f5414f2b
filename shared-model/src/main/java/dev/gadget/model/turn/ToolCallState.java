package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a tool call stands. */
public enum ToolCallState {
    /** It waits for its place. */
    @JsonProperty("queued")
    QUEUED,
    /** It waits for a person. */
    @JsonProperty("awaiting_approval")
    AWAITING_APPROVAL,
    /** It runs. */
    @JsonProperty("running")
    RUNNING,
    /** It ended and has a response. */
    @JsonProperty("done")
    DONE,
    /** It ended with an error, which the response tells. */
    @JsonProperty("failed")
    FAILED,
    /** A person or the policy refused it. */
    @JsonProperty("denied")
    DENIED,
    /** The drone stopped while it ran: whether it took effect is not known. */
    @JsonProperty("unknown")
    UNKNOWN;

    /** Whether the call will not change any more. */
    public boolean ended() {
        return switch (this) {
            case QUEUED, AWAITING_APPROVAL, RUNNING -> false;
            case DONE, FAILED, DENIED, UNKNOWN -> true;
        };
    }
}
