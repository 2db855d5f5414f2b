package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names one configured model provider. */
public record ProviderId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ProviderId {
        Ids.check("provider id", value);
    }

    /** A fresh one that nobody else has. */
    public static ProviderId random() {
        return new ProviderId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
