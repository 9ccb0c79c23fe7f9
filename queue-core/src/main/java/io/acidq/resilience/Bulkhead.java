package io.acidq.resilience;

import static io.acidq.InputChecks.require;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The settings of a bulkhead: how many handlers may run at the same time in this node. For one queue its concurrency has the same effect; a bulkhead is for
 * several queues that share it by name. Immutable.
 *
 * @param maxRunning how many handlers may run at once, 1 to 1000. Too low: workers idle; too high: no limit
 */
public record Bulkhead(int maxRunning) implements Guard.Source {

    public Bulkhead {
        require(maxRunning >= 1 && maxRunning <= 1000, "bulkhead: maxRunning must be 1 to 1000, was " + maxRunning);
    }

    @Override
    public Guard guard(String name, LongSupplier nanoTime) {
        BulkheadConfig config = BulkheadConfig.custom()
                .maxConcurrentCalls(maxRunning)
                .maxWaitDuration(Duration.ZERO)
                .build();
        return Resilience4jGuards.of(io.github.resilience4j.bulkhead.Bulkhead.of(name, config))
                .guard(name, nanoTime);
    }
}
