package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What happens to a prompt that comes while its session or its drone works. */
public enum BusyPolicy {
    /** It is refused, and nothing of it is kept. */
    @JsonProperty("refuse")
    REFUSE,
    /** It waits, can be changed and removed meanwhile, and begins by itself. */
    @JsonProperty("queue")
    QUEUE
}
