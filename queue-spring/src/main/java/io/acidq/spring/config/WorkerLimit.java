package io.acidq.spring.config;

import static io.acidq.spring.WorkerThreads.RESERVED_CONNECTIONS;

import io.acidq.Plural;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the workers of an engine's listeners to the connections of its pool.
 *
 * @param connections the size of the pool; null if it is unknown, and then workers are not limited
 */
record WorkerLimit(@Nullable Integer connections) {

    private static final Logger log = LoggerFactory.getLogger(WorkerLimit.class);

    /**
     * Returns the listeners, with fewer workers if the pool is too small for all of them. Listeners in external mode hold no connection while they
     * run, and are not counted.
     */
    List<Listener<?>> applyTo(List<Listener<?>> listeners) {
        if (connections == null) {
            return listeners;
        }
        int available = connections - RESERVED_CONNECTIONS;
        List<Listener<?>> counted =
                listeners.stream().filter(WorkerLimit::isCounted).toList();
        if (counted.size() > available) {
            throw new QueueMisuseException("the connection pool has " + Plural.of(connections, "connection")
                    + ", of which "
                    + RESERVED_CONNECTIONS + " are reserved for the engine and for callers that enqueue, and each of "
                    + Plural.of(counted.size(), "listener")
                    + " needs at least one: raise the maximum size of the pool to "
                    + (counted.size() + RESERVED_CONNECTIONS) + " or more");
        }
        int requested =
                counted.stream().mapToInt(l -> l.concurrency().max() - 1).sum();
        int remaining = available - counted.size();
        List<Listener<?>> limited = new ArrayList<>();
        for (Listener<?> listener : listeners) {
            limited.add(
                    requested > remaining && isCounted(listener)
                            ? limit(listener, connections, remaining, requested)
                            : listener);
        }
        return limited;
    }

    /** Gives the listener one worker, and of the remaining connections a share in proportion to its concurrency. */
    private Listener<?> limit(Listener<?> listener, int connections, int remaining, int requested) {
        Concurrency concurrency = listener.concurrency();
        int max = 1 + (int) ((long) (concurrency.max() - 1) * remaining / requested);
        if (max == concurrency.max()) {
            return listener;
        }
        log.info(
                "the listener of queue '{}' has at most {} instead of {}: the pool has {}, and each worker needs one",
                listener.queue(),
                Plural.of(max, "worker"),
                concurrency.max(),
                Plural.of(connections, "connection"));
        return listener.withConcurrency(new Concurrency(
                Math.min(concurrency.min(), max), max, concurrency.idleTimeout(), concurrency.maxLifetime()));
    }

    private static boolean isCounted(Listener<?> listener) {
        return listener.options().mode() == HandlerMode.TRANSACTIONAL;
    }
}
