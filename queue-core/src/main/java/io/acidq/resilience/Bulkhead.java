package io.acidq.resilience;

import io.acidq.QueueMisuseException;
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
        if (maxRunning < 1 || maxRunning > 1000) {
            throw new QueueMisuseException("bulkhead: maxRunning must be 1 to 1000, was " + maxRunning);
        }
    }

    @Override
    public Guard guard(String name, LongSupplier nanoTime) {
        BulkheadConfig config = BulkheadConfig.custom()
                .maxConcurrentCalls(maxRunning)
                .maxWaitDuration(Duration.ZERO)
                .build();
        return new BulkheadGuard(io.github.resilience4j.bulkhead.Bulkhead.of(name, config), name);
    }
}
