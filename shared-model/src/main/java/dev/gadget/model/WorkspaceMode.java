package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Who may write in a workspace at the moment. */
public enum WorkspaceMode {
    /** Nobody works in it. */
    @JsonProperty("idle")
    IDLE,
    /** A person edits. */
    @JsonProperty("user")
    USER,
    /** A turn runs. */
    @JsonProperty("agent")
    AGENT
}
