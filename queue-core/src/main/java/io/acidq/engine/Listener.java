package io.acidq.engine;

import io.acidq.BatchHandler;
import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;

/**
 * A handler and how it is run. Immutable.
 *
 * @param queue       the queue that it serves; one listener a queue in an engine
 * @param payloadType what payloads are read as
 * @param handler     the consumer's code
 * @param workers     how many runs of the queue go on at once in this engine, each on a thread and with a connection of its
 *                    own. Too low: the queue lags; too high: the pool is exhausted. 1 to 1000. Default 4
 * @param retry       what becomes of failures
 * @param options     how messages are run
 */
public record Listener<T>(
        String queue, Class<T> payloadType, Handler<T> handler, int workers, RetryPolicy retry, RunOptions options) {

    public static final int DEFAULT_WORKERS = 4;

    public Listener {
        QueueNames.check(queue);
        if (workers < 1 || workers > 1000) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue + "': workers must be 1 to 1000, was " + workers);
        }
        if (handler instanceof Together && options.mode() == Mode.EXTERNAL) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue
                            + "': a batch handler can not run in external mode: use a plain handler, or the transactional mode");
        }
    }

    /** A listener with the default number of workers and the default retry policy. */
    public static <T> Listener<T> on(String queue, Class<T> payloadType, Handler<T> handler) {
        return new Listener<>(
                queue, payloadType, handler, DEFAULT_WORKERS, RetryPolicy.defaults(), RunOptions.defaults());
    }

    /**
     * A listener whose handler takes several messages in one transaction.
     *
     * @param size at most this many; it takes what is there and waits for no more
     */
    public static <T> Listener<T> onBatch(String queue, Class<T> payloadType, int size, BatchHandler<T> handler) {
        return on(queue, payloadType, new Together<>(handler)).withTransactionSize(size);
    }

    public Listener<T> withWorkers(int value) {
        return new Listener<>(queue, payloadType, handler, value, retry, options);
    }

    public Listener<T> withRetry(RetryPolicy value) {
        return new Listener<>(queue, payloadType, handler, workers, value, options);
    }

    public Listener<T> withOptions(RunOptions value) {
        return new Listener<>(queue, payloadType, handler, workers, retry, value);
    }

    /** The same in external mode: no transaction is open while the handler runs. */
    public Listener<T> external() {
        return withOptions(options.withMode(Mode.EXTERNAL));
    }

    public Listener<T> withTransactionSize(int value) {
        return withOptions(options.withTransactionSize(value));
    }

    /** The same with a limit for each call of the handler. */
    public Listener<T> withTimeout(Duration value) {
        return withOptions(options.withTimeout(value, options.grace()));
    }

    /** The most messages that may be running at once in this engine. */
    int mostRunning() {
        return workers * options.transactionSize();
    }
}
