package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one workspace directory, for as long as it exists. */
public record WorkspaceId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public WorkspaceId {
        Ids.check("workspace id", value);
    }

    /** A fresh one that nobody else has. */
    public static WorkspaceId random() {
        return new WorkspaceId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
