package dev.gadget.model.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What became of one file in a turn.
 *
 * @param path relative to the workspace
 * @param added lines that are new; absent of a file that is not text
 * @param removed lines that are gone; absent of a file that is not text
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FileChange(
        String path,
        Kind kind,
        @Nullable Integer added,
        @Nullable Integer removed) {
    /** How it differs from before the turn. */
    public enum Kind {
        @JsonProperty("added")
        ADDED,
        @JsonProperty("modified")
        MODIFIED,
        @JsonProperty("deleted")
        DELETED
    }
}
