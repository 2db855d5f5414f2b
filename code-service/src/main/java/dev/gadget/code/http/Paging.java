package dev.gadget.code.http;

import dev.gadget.code.store.Slice;
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

    /** Text, because a number that cannot be read would be answered as an unknown address. */
    @QueryParam("limit")
    @DefaultValue("50")
    String limit = "";

    /** Where to go on, as the page before said. */
    public Optional<String> after() {
        return Optional.ofNullable(cursor).filter(text -> !text.isBlank());
    }

    /** How many at most; refused when it is not 1 to 200. */
    public int limit() {
        return checked(limit, "limit");
    }

    /** How many the parameter {@code name} asks for; refused when it is not 1 to 200. */
    public static int checked(String wanted, String name) {
        return Checks.number(name, wanted, 1, MOST);
    }

    public <T, V> Page<V> page(Slice<T> slice, Function<T, V> view) {
        return new Page<>(
                slice.items().stream().map(view).toList(), slice.next().orElse(null));
    }
}
