package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a tool can do to the world; approvals, recovery and the queue go by it. */
public enum ToolEffect {
    @JsonProperty("reads")
    READS,
    @JsonProperty("writes")
    WRITES,
    @JsonProperty("runs")
    RUNS,
    @JsonProperty("network")
    NETWORK
}
