package io.acidq.benchmarks.measure;

import io.acidq.benchmarks.measure.MessageAudit.RunAudit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The result of one run: named figures and the audit of its messages. Not thread-safe. */
public final class RunFigures {

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final RunAudit audit;

    public RunFigures(RunAudit audit) {
        this.audit = audit;
    }

    public RunFigures with(String name, double value) {
        values.put(name, value);
        return this;
    }

    public RunFigures withAll(Map<String, Double> more) {
        values.putAll(more);
        return this;
    }

    /** The figures in insertion order. */
    public Map<String, Double> values() {
        return Collections.unmodifiableMap(values);
    }

    public RunAudit audit() {
        return audit;
    }

    /** The figure that a scenario measures, with its name in the results. */
    public enum Metric {
        RATE("messagesPerSecond", true),
        P99("p99Millis", false),
        QUERIES("queriesPerSecond", false),
        RECOVERY("recoverySeconds", false),
        SCREEN("slowestScreenP95Millis", false);

        private final String key;
        private final boolean higherIsBetter;

        Metric(String key, boolean higherIsBetter) {
            this.key = key;
            this.higherIsBetter = higherIsBetter;
        }

        public String key() {
            return key;
        }

        public boolean higherIsBetter() {
            return higherIsBetter;
        }
    }
}
