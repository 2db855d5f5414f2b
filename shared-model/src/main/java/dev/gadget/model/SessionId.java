package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one chat session. */
public record SessionId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public SessionId {
        Ids.check("session id", value);
    }

    /** A fresh one that nobody else has. */
    public static SessionId random() {
        return new SessionId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
