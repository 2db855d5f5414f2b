package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one terminal; the page that wants one chooses it. */
public record TerminalId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public TerminalId {
        Ids.check("terminal id", value);
    }

    /** A fresh one that nobody else has. */
    public static TerminalId random() {
        return new TerminalId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
