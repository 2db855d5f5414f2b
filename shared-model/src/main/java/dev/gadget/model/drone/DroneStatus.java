package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a drone is doing, as the code service sees it. */
public enum DroneStatus {
    /** It checks its workspace and what it still holds. */
    @JsonProperty("starting")
    STARTING,
    /** It can take a work order. */
    @JsonProperty("available")
    AVAILABLE,
    /** It works on one. */
    @JsonProperty("busy")
    BUSY,
    /** It has no connection. */
    @JsonProperty("offline")
    OFFLINE
}
