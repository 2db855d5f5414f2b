package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one turn: a prompt and all that follows from it. */
public record TurnId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public TurnId {
        Ids.check("turn id", value);
    }

    /** A fresh one that nobody else has. */
    public static TurnId random() {
        return new TurnId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
