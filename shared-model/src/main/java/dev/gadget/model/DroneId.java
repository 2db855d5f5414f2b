package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one enrolled drone. */
public record DroneId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public DroneId {
        Ids.check("drone id", value);
    }

    /** A fresh one that nobody else has. */
    public static DroneId random() {
        return new DroneId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
