package io.acidq.benchmarks.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What one run came to: named numbers, and the audit of its effects. Not thread-safe. */
public final class Figures {

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final Audit audit;

    public Figures(Audit audit) {
        this.audit = audit;
    }

    public Figures with(String name, double value) {
        values.put(name, value);
        return this;
    }

    public Figures withAll(Map<String, Double> more) {
        values.putAll(more);
        return this;
    }

    /** In the order in which they were given. */
    public Map<String, Double> values() {
        return Collections.unmodifiableMap(values);
    }

    public Audit audit() {
        return audit;
    }
}
