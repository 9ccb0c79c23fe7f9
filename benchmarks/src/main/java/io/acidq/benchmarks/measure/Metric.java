package io.acidq.benchmarks.measure;

/** The figure that a scenario is about, under its name in the results. */
public enum Metric {
    RATE("messagesPerSecond", true),
    P99("p99Millis", false),
    QUERIES("queriesPerSecond", false),
    RECOVERY("recoverySeconds", false);

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
