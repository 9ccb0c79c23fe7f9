package io.acidq.config;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import java.time.Duration;

/**
 * Whether an engine writes what it has done into the history, from which the dashboard draws its charts, and how long the history is kept. Immutable.
 *
 * @param enabled whether this engine writes the history: once a minute, and only if something happened. Default true
 * @param keep    how long the numbers of each hour are kept. Those of ten minutes are kept for 14 days and those of a minute for a day, or for this time if it is
 *                shorter. Every engine removes old rows, so the shortest time of all engines applies. Too short: it is not known how a queue was before; too
 *                long: a larger table. 1 hour to 36500 days. Default 400 days
 */
public record HistoryOptions(boolean enabled, Duration keep) {

    private static final HistoryOptions DEFAULTS = new HistoryOptions(true, Duration.ofDays(400));

    public HistoryOptions {
        require(
                isWithin(keep, Duration.ofHours(1), Retention.MAX),
                "keep of history (acidq.history.keep) must be 1 hour to 36500 days, was " + keep);
    }

    public static HistoryOptions defaults() {
        return DEFAULTS;
    }

    public HistoryOptions withEnabled(boolean value) {
        return new HistoryOptions(value, keep);
    }

    public HistoryOptions withKeep(Duration value) {
        return new HistoryOptions(enabled, value);
    }
}
