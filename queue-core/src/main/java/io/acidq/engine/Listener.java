package io.acidq.engine;

import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.resilience.RetryPolicy;

/**
 * A handler and how it is run. Immutable.
 *
 * @param queue       the queue that it serves; one listener a queue in an engine
 * @param payloadType what payloads are read as
 * @param handler     the consumer's code
 * @param workers     how many messages of the queue run at once in this engine, each on a thread and with a connection of its
 *                    own. Too low: the queue lags; too high: the pool is exhausted. 1 to 1000. Default 4
 * @param retry       what becomes of failures
 */
public record Listener<T>(String queue, Class<T> payloadType, Handler<T> handler, int workers, RetryPolicy retry) {

    public static final int DEFAULT_WORKERS = 4;

    public Listener {
        QueueNames.check(queue);
        if (workers < 1 || workers > 1000) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue + "': workers must be 1 to 1000, was " + workers);
        }
    }

    /** A listener with the default number of workers and the default retry policy. */
    public static <T> Listener<T> on(String queue, Class<T> payloadType, Handler<T> handler) {
        return new Listener<>(queue, payloadType, handler, DEFAULT_WORKERS, RetryPolicy.defaults());
    }

    public Listener<T> withWorkers(int value) {
        return new Listener<>(queue, payloadType, handler, value, retry);
    }

    public Listener<T> withRetry(RetryPolicy value) {
        return new Listener<>(queue, payloadType, handler, workers, value);
    }
}
