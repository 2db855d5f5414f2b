package dev.gadget.code.store.mongo;

import java.time.Instant;
import java.util.Locale;

/** The field by which lists are ordered and continued: milliseconds with leading zeros, then the id. */
final class ListKey {
    static final String FIELD = "listKey";

    private ListKey() {}

    static String of(Instant createdAt, String id) {
        return String.format(Locale.ROOT, "%015d:%s", createdAt.toEpochMilli(), id);
    }
}
