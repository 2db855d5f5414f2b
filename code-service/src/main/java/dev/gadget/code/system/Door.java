package dev.gadget.code.system;

import dev.gadget.model.api.SystemApi.DoorView;

/** A bean that knows who comes by one door; all of them are found. */
public interface Door {
    DoorView inUse();
}
