package dev.gadget.code.store;

import dev.gadget.model.api.SystemApi.StoreKind;
import java.util.Optional;

/** How the store is. */
public interface StoreState {
    StoreKind kind();

    /** Why it does not answer, or takes no writes; empty when it does. Waits two seconds at most. */
    Optional<String> trouble();

    /** How many times it was asked or told something since the start. */
    long calls();

    /** How many of these it did not answer as it should. */
    long failures();
}
