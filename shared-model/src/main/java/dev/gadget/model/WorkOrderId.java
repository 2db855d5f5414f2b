package dev.gadget.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Names the order by which one turn is handed to a drone. */
public record WorkOrderId(@JsonValue String value) {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public WorkOrderId {
        Ids.check("work order id", value);
    }

    /** A fresh one that nobody else has. */
    public static WorkOrderId random() {
        return new WorkOrderId(Ids.random());
    }

    @Override
    public String toString() {
        return value;
    }
}
