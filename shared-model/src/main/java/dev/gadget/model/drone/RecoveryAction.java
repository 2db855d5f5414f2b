package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a drone does with a work order that it still held when it started. */
public enum RecoveryAction {
    /** Forget it: the turn is over or gone. */
    @JsonProperty("discard")
    DISCARD,
    /** Go on where the journal ends; everything so far is kept. */
    @JsonProperty("resume")
    RESUME,
    /** Take the same turn up again as the next attempt, from the effect journal. */
    @JsonProperty("retry")
    RETRY
}
