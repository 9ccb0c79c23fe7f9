package io.acidq.benchmarks.workload;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How large a scenario is, by the names of the JSON. Immutable. */
public record ScenarioSize(Map<String, Long> sizes) {

    public ScenarioSize {
        sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
    }

    static ScenarioSize of(String name, long value) {
        return new ScenarioSize(Map.of(name, value));
    }

    ScenarioSize and(String name, long value) {
        Map<String, Long> more = new LinkedHashMap<>(sizes);
        more.put(name, value);
        return new ScenarioSize(more);
    }
}
