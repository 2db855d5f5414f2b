package dev.gadget.model.file;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a file differs from the last commit; on the wire git's own letter. */
public enum GitStatus {
    /** Its content, or its mode, is another one. */
    @JsonProperty("M")
    MODIFIED,
    /** It is new, and git was told of it. */
    @JsonProperty("A")
    ADDED,
    /** It is gone. */
    @JsonProperty("D")
    DELETED,
    /** A merge left it undecided. */
    @JsonProperty("U")
    CONFLICTED,
    /** It is new, and git was not told of it. */
    @JsonProperty("?")
    UNTRACKED
}
