package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a person says to a tool call that waits. */
public enum ApprovalDecision {
    /** Run this one. */
    @JsonProperty("approve")
    APPROVE,
    /** Run this one and those like it in this session. */
    @JsonProperty("approve_for_session")
    APPROVE_FOR_SESSION,
    /** Do not run it. */
    @JsonProperty("deny")
    DENY
}
