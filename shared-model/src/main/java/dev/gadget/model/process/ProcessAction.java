package dev.gadget.model.process;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is to be done with the background processes of a session. */
public enum ProcessAction {
    /** Tell which there are. */
    @JsonProperty("list")
    LIST,
    /** Tell what one printed last. */
    @JsonProperty("output")
    OUTPUT,
    /** End one, with all that it started. */
    @JsonProperty("stop")
    STOP,
    /** End all of them: the session was put away. */
    @JsonProperty("stop_all")
    STOP_ALL
}
