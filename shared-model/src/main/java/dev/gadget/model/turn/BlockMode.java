package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a block holds. */
public enum BlockMode {
    /** Text that the model reasons with. */
    @JsonProperty("thinking")
    THINKING,
    /** Text that the model says. */
    @JsonProperty("responding")
    RESPONDING,
    /** One tool call. */
    @JsonProperty("tool")
    TOOL,
    /** What the person said while the turn ran. */
    @JsonProperty("prompt")
    PROMPT
}
