package io.acidq.boot;

import io.acidq.resilience.Breaker;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One circuit breaker.
 *
 * @param failureRate    The share of failed runs at which it opens, above 0 to 1.
 * @param window         How many of the latest runs are looked at.
 * @param minimumRuns    It does not open before so many runs.
 * @param openFor        How long it stays open before it tests.
 * @param testRuns       How many may start while it is half open.
 * @param ignored        Failures of these types, or with such a cause, do not count.
 * @param databaseErrors Whether passing errors of the queue's own database count.
 */
record BreakerSettings(
        @DefaultValue("0.5") double failureRate,
        @DefaultValue("20") int window,
        @DefaultValue("10") int minimumRuns,
        @DefaultValue("30s") Duration openFor,
        @DefaultValue("3") int testRuns,
        @DefaultValue List<Class<? extends Throwable>> ignored,
        @DefaultValue("false") boolean databaseErrors) {

    Breaker breaker() {
        return new Breaker(failureRate, window, minimumRuns, openFor, testRuns, ignored, databaseErrors);
    }
}
