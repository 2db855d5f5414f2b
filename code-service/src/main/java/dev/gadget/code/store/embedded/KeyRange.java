package dev.gadget.code.store.embedded;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where in an index everything lies that a query can match: under the values of its first keys, and between two bounds
 * of the next one. Only texts count; what else the query says is checked on each document.
 */
record KeyRange(
        List<String> prefix,
        @Nullable String from,
        @Nullable String to) {
    KeyRange {
        prefix = List.copyOf(prefix);
    }

    /** Empty when the query says nothing about the first key of the index. */
    static Optional<KeyRange> of(Document query, List<String> keys) {
        Map<String, Conditions> conditions = new HashMap<>();
        collect(query, conditions);
        List<String> prefix = new ArrayList<>();
        for (String key : keys) {
            Conditions one = conditions.getOrDefault(key, new Conditions());
            if (one.equal == null) {
                return prefix.isEmpty() && one.from == null && one.to == null
                        ? Optional.empty()
                        : Optional.of(new KeyRange(prefix, one.from, one.to));
            }
            prefix.add(one.equal);
        }
        return Optional.of(new KeyRange(prefix, null, null));
    }

    private static final class Conditions {
        private @Nullable String equal;
        private @Nullable String from;
        private @Nullable String to;

        void add(String operator, @Nullable Object operand) {
            if (operand instanceof String text) {
                switch (operator) {
                    case "$eq" -> equal = text;
                    case "$gt", "$gte" -> from = text;
                    case "$lt", "$lte" -> to = text;
                    default -> {}
                }
            }
        }
    }

    private static void collect(Document query, Map<String, Conditions> conditions) {
        query.forEach((name, value) -> {
            if (name.equals("$and") && value instanceof Collection<?> all) {
                all.stream().filter(Document.class::isInstance).forEach(one -> collect((Document) one, conditions));
            } else if (!name.startsWith("$")) {
                Conditions known = conditions.computeIfAbsent(name, key -> new Conditions());
                if (value instanceof Document operators) {
                    operators.forEach(known::add);
                } else {
                    known.add("$eq", value);
                }
            }
        });
    }
}
