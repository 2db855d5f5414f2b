package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a turn stands; a turn enters exactly one of the ended states, once. */
public enum TurnStatus {
    /** It waits for its session or for a drone. */
    @JsonProperty("queued")
    QUEUED(false),
    /** A drone works on it. */
    @JsonProperty("processing")
    PROCESSING(false),
    /** A tool call of it waits for a person. */
    @JsonProperty("awaiting_approval")
    AWAITING_APPROVAL(false),
    /** The model said all it had to say. */
    @JsonProperty("finished")
    FINISHED(true),
    /** It ended by an error, which the turn names. */
    @JsonProperty("failed")
    FAILED(true),
    /** A person stopped it. */
    @JsonProperty("cancelled")
    CANCELLED(true),
    /** The drone went away; it can be taken up again. */
    @JsonProperty("interrupted")
    INTERRUPTED(true),
    /** A limit that the person set was reached; it can be continued. */
    @JsonProperty("budget_reached")
    BUDGET_REACHED(true);

    private final boolean ended;

    TurnStatus(boolean ended) {
        this.ended = ended;
    }

    /** Whether nothing more will be added to the turn. */
    public boolean ended() {
        return ended;
    }
}
