package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How much a model may think before it answers. */
public enum ReasoningEffort {
    /** No thinking tokens at all. */
    @JsonProperty("off")
    OFF,
    @JsonProperty("low")
    LOW,
    @JsonProperty("medium")
    MEDIUM,
    @JsonProperty("high")
    HIGH
}
