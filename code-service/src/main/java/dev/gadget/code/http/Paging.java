package dev.gadget.code.http;

import dev.gadget.code.RefusedException;
import dev.gadget.code.store.Slice;
import dev.gadget.model.FailureCode;
import dev.gadget.model.api.Page;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parameters of every list: how much, and from where on. */
public class Paging {
    private static final int MOST = 200;

    @QueryParam("cursor")
    @Nullable
    String cursor;

    @QueryParam("limit")
    @DefaultValue("50")
    int limit;

    /** Where to go on, as the page before said. */
    public Optional<String> after() {
        return Optional.ofNullable(cursor).filter(text -> !text.isBlank());
    }

    /** How many at most; refused when it is not 1 to 200. */
    public int limit() {
        if (limit < 1 || limit > MOST) {
            throw new RefusedException(
                    FailureCode.INVALID_FIELD, "limit has to be 1 to " + MOST + ", but is " + limit + ".", "limit");
        }
        return limit;
    }

    public <T, V> Page<V> page(Slice<T> slice, Function<T, V> view) {
        return new Page<>(
                slice.items().stream().map(view).toList(), slice.next().orElse(null));
    }
}
