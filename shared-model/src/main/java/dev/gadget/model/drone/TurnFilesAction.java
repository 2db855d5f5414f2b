package dev.gadget.model.drone;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What is to be done with the file changes of a turn. */
public enum TurnFilesAction {
    /** Tell the whole diff. */
    @JsonProperty("diff")
    DIFF,
    /** Put the files back to what they were before the turn. */
    @JsonProperty("undo")
    UNDO,
    /** Put them to what the turn made of them. */
    @JsonProperty("redo")
    REDO
}
