package io.acidq.benchmarks.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What one run came to: named numbers, and the audit of its effects. Not thread-safe. */
public final class RunFigures {

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final RunAudit runAudit;

    public RunFigures(RunAudit runAudit) {
        this.runAudit = runAudit;
    }

    public RunFigures with(String name, double value) {
        values.put(name, value);
        return this;
    }

    public RunFigures withAll(Map<String, Double> more) {
        values.putAll(more);
        return this;
    }

    /** In the order in which they were given. */
    public Map<String, Double> values() {
        return Collections.unmodifiableMap(values);
    }

    public RunAudit audit() {
        return runAudit;
    }
}
