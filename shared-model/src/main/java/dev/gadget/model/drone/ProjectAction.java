package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is to be done with a project in its workspace. */
public enum ProjectAction {
    /** Tell how it stands. */
    @JsonProperty("look")
    LOOK,
    /** Fetch what is new, and bring the branch up to it where that loses nothing. */
    @JsonProperty("sync")
    SYNC
}
