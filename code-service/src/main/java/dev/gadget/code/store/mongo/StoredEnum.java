package dev.gadget.code.store.mongo;

import java.util.Locale;

/** How enum constants are stored: the words of the wire, in lower case. */
final class StoredEnum {
    private StoredEnum() {}

    static String toStored(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    static <E extends Enum<E>> E fromStored(Class<E> type, String stored) {
        return Enum.valueOf(type, stored.toUpperCase(Locale.ROOT));
    }
}
