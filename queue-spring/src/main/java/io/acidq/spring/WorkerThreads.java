package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the threads of the workers are made, a bean: the starter makes one of virtual threads when the application asks for them. Such threads
 * cost nearly nothing, connections do: so what the main engine runs at once is held within its pool, of which it says so in the log.
 *
 * @param factory     makes them
 * @param connections how many connections the pool of the main engine has; null when nobody knows, then nothing is held within it
 */
public record WorkerThreads(ThreadFactory factory, @Nullable Integer connections) {

    /** For the heartbeat, for claims, for what else the engine does, and for the callers that enqueue. */
    public static final int KEPT_FREE = 4;

    private static final Logger log = LoggerFactory.getLogger(WorkerThreads.class);

    /** Listeners in external mode hold no connection while they run, and are not counted. */
    List<Listener<?>> share(List<Listener<?>> listeners) {
        if (connections == null) {
            return listeners;
        }
        int room = connections - KEPT_FREE;
        List<Listener<?>> counted =
                listeners.stream().filter(WorkerThreads::isCounted).toList();
        if (counted.size() > room) {
            throw new QueueMisuseException("the pool has " + connections + " connections, of which " + KEPT_FREE
                    + " are for the engine and for those who enqueue, and " + counted.size()
                    + " listeners need one each at least: give the pool " + (counted.size() + KEPT_FREE)
                    + " or more (spring.datasource.hikari.maximum-pool-size)");
        }
        int asked = counted.stream().mapToInt(l -> l.workers().max() - 1).sum();
        int left = room - counted.size();
        List<Listener<?>> shared = new ArrayList<>();
        for (Listener<?> listener : listeners) {
            shared.add(asked > left && isCounted(listener) ? cut(listener, left, asked) : listener);
        }
        return shared;
    }

    /** One for each, and of the rest in proportion to what each asks for. */
    private Listener<?> cut(Listener<?> listener, int left, int asked) {
        Workers workers = listener.workers();
        int most = 1 + (int) ((long) (workers.max() - 1) * left / asked);
        if (most == workers.max()) {
            return listener;
        }
        log.info(
                "the listener of queue '{}' has {} workers at most instead of {}: the pool has {} connections, and each worker needs one",
                listener.queue(),
                most,
                workers.max(),
                connections);
        return listener.withWorkers(new Workers(Math.min(workers.min(), most), most, workers.idle(), workers.life()));
    }

    private static boolean isCounted(Listener<?> listener) {
        return listener.options().mode() == Mode.TRANSACTIONAL;
    }
}
