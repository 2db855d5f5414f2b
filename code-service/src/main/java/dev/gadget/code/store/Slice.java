package dev.gadget.code.store;

import java.util.List;
import java.util.Optional;

/**
 * A part of a longer list, in the list's order.
 *
 * @param next where the rest begins, opaque to callers; empty at the end
 */
public record Slice<T>(List<T> items, Optional<String> next) {
    public Slice {
        items = List.copyOf(items);
    }
}
