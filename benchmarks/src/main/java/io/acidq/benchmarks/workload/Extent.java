package io.acidq.benchmarks.workload;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How large a scenario is, by the names of the JSON. Immutable. */
public record Extent(Map<String, Long> sizes) {

    public Extent {
        sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
    }

    static Extent of(String name, long value) {
        return new Extent(Map.of(name, value));
    }

    Extent and(String name, long value) {
        Map<String, Long> more = new LinkedHashMap<>(sizes);
        more.put(name, value);
        return new Extent(more);
    }
}
