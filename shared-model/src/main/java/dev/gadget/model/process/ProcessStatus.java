package dev.gadget.model.process;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether a process in the background runs, or how it ended. */
public enum ProcessStatus {
    /** It runs. */
    @JsonProperty("running")
    RUNNING,
    /** It ended by itself, with an exit code. */
    @JsonProperty("exited")
    EXITED,
    /** It was ended: by a person, by the agent, or because it took too long. */
    @JsonProperty("stopped")
    STOPPED
}
