package dev.gadget.code.store.embedded;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How often a whole collection was read because no index served a query, for each collection. */
final class FullScans {
    private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String collection) {
        counts.computeIfAbsent(collection, name -> new LongAdder()).increment();
    }

    Map<String, Long> counts() {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
