package dev.gadget.model.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list, a page at a time.
 *
 * @param next what to pass as {@code ?cursor=} for more; null at the end
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }
}
