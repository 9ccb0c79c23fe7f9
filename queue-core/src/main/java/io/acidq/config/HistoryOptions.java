package io.acidq.config;

/**
 * Whether an engine writes what it has done into the history, from which the dashboard draws its charts. How long the history is kept: {@link Retention#history}.
 * Immutable.
 *
 * @param enabled whether this engine writes the history: once a minute, and only if something happened. Default true
 */
public record HistoryOptions(boolean enabled) {

    private static final HistoryOptions DEFAULTS = new HistoryOptions(true);

    public static HistoryOptions defaults() {
        return DEFAULTS;
    }

    public HistoryOptions withEnabled(boolean value) {
        return new HistoryOptions(value);
    }
}
