package io.acidq.benchmarks.report;

import io.acidq.benchmarks.measure.RunFigures;
import org.jspecify.annotations.Nullable;

/**
 * One run of a candidate in a scenario.
 *
 * @param number  from 1; runs of different candidates with one number were next to each other
 * @param figures null when it failed
 * @param failure why it failed; null when it did not
 */
public record Run(
        int number, @Nullable RunFigures figures, @Nullable String failure) {

    public Run {
        if ((figures == null) == (failure == null)) {
            throw new IllegalArgumentException("a run has either figures or a failure");
        }
    }

    /** The figure of this name; not a number when there is none. */
    double value(String key) {
        return figures == null ? Double.NaN : figures.values().getOrDefault(key, Double.NaN);
    }
}
