package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the tool calls of one response are run. */
public enum ToolQueueMode {
    /** Calls that only read run beside each other, up to a bound; any other runs alone. */
    @JsonProperty("parallel")
    PARALLEL,
    /** One after the other, in the order of the response. */
    @JsonProperty("sequential")
    SEQUENTIAL
}
