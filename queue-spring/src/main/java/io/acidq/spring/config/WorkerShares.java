package io.acidq.spring.config;

import static io.acidq.spring.WorkerThreads.KEPT_FREE;

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
 * Shares the connections of a pool among the listeners of an engine: their workers together are not more than the pool has room for.
 *
 * @param connections how many the pool has; null when that is unknown, and then all workers are allowed
 */
record WorkerShares(@Nullable Integer connections) {

    private static final Logger log = LoggerFactory.getLogger(WorkerShares.class);

    /**
     * The same listeners, with fewer workers where there is no room for more. Listeners in external mode hold no connection while they run, and
     * are not counted.
     */
    List<Listener<?>> share(List<Listener<?>> listeners) {
        if (connections == null) {
            return listeners;
        }
        int room = connections - KEPT_FREE;
        List<Listener<?>> counted =
                listeners.stream().filter(WorkerShares::isCounted).toList();
        if (counted.size() > room) {
            throw new QueueMisuseException("the pool has " + connections + " connections, of which " + KEPT_FREE
                    + " are for the engine and for those who enqueue, and " + counted.size()
                    + " listeners need one each at least: give the pool " + (counted.size() + KEPT_FREE)
                    + " or more (spring.datasource.hikari.maximum-pool-size)");
        }
        int asked = counted.stream().mapToInt(l -> l.concurrency().max() - 1).sum();
        int left = room - counted.size();
        List<Listener<?>> shared = new ArrayList<>();
        for (Listener<?> listener : listeners) {
            shared.add(asked > left && isCounted(listener) ? cut(listener, left, asked) : listener);
        }
        return shared;
    }

    /** One worker for each listener; the others in proportion to what each asks for. */
    private Listener<?> cut(Listener<?> listener, int left, int asked) {
        Concurrency concurrency = listener.concurrency();
        int most = 1 + (int) ((long) (concurrency.max() - 1) * left / asked);
        if (most == concurrency.max()) {
            return listener;
        }
        log.info(
                "the listener of queue '{}' has {} workers at most instead of {}: the pool has {} connections, and each worker needs one",
                listener.queue(),
                most,
                concurrency.max(),
                connections);
        return listener.withConcurrency(new Concurrency(
                Math.min(concurrency.min(), most), most, concurrency.idleTimeout(), concurrency.maxLifetime()));
    }

    private static boolean isCounted(Listener<?> listener) {
        return listener.options().mode() == HandlerMode.TRANSACTIONAL;
    }
}
