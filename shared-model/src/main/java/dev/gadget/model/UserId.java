package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one account. */
public record UserId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public UserId {
        Ids.check("user id", value);
    }

    /** A fresh one that nobody else has. */
    public static UserId random() {
        return new UserId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
