package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which tool calls wait for a person. */
public enum ApprovalPolicy {
    /** Every call that writes, runs or reaches out waits. */
    @JsonProperty("ask")
    ASK,
    /** Edits go ahead; commands wait. */
    @JsonProperty("auto_edit")
    AUTO_EDIT,
    /** Everything that the drone's own policy allows goes ahead. */
    @JsonProperty("auto")
    AUTO,
    /** Calls that write or run are refused. */
    @JsonProperty("read_only")
    READ_ONLY
}
