package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one project. */
public record ProjectId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ProjectId {
        Ids.check("project id", value);
    }

    /** A fresh one that nobody else has. */
    public static ProjectId random() {
        return new ProjectId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
