package io.acidq.config;

import io.acidq.BatchHandler;
import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.NamedOrGiven;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A handler and how it is run. Immutable.
 *
 * @param queue       the queue that it serves; one listener a queue in an engine
 * @param payloadType what payloads are read as
 * @param handler     the consumer's code
 * @param concurrency     how many runs of the queue go on at once in this engine. Default 4
 * @param retry       what becomes of failures: a policy, its name in the engine, or the default of the queue or the engine
 * @param guards      what holds back its starts: circuit breaker, rate limit, bulkhead. None by default
 * @param options     how messages are run
 */
public record Listener<T>(
        String queue,
        Class<T> payloadType,
        Handler<T> handler,
        Concurrency concurrency,
        NamedOrGiven<RetryPolicy> retry,
        GuardRefs guards,
        HandlerOptions options) {

    public static final int DEFAULT_CONCURRENCY = 4;

    public Listener {
        QueueNames.check(queue);
        if (payloadType == null || handler == null) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue + "': it needs a payload type and a handler, and "
                            + (handler == null ? "the handler" : "the payload type") + " is null");
        }
        if (handler instanceof BatchHandlerAdapter && options.mode() == HandlerMode.EXTERNAL) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue
                            + "': a batch handler can not run in external mode: use a plain handler, or the transactional mode");
        }
    }

    /** A listener with the default number of workers and the default retry policy. */
    public static <T> Listener<T> on(String queue, Class<T> payloadType, Handler<T> handler) {
        return new Listener<>(
                queue,
                payloadType,
                handler,
                Concurrency.fixed(DEFAULT_CONCURRENCY),
                NamedOrGiven.none(),
                GuardRefs.none(),
                HandlerOptions.defaults());
    }

    /**
     * A listener whose handler takes several messages in one transaction.
     *
     * @param size at most this many; it takes what is there and waits for no more
     */
    public static <T> Listener<T> onBatch(String queue, Class<T> payloadType, int size, BatchHandler<T> handler) {
        return on(queue, payloadType, new BatchHandlerAdapter<>(handler)).withTransactionSize(size);
    }

    /** The same with another handler, such as one that does something around it. */
    public Listener<T> withHandler(Handler<T> value) {
        return new Listener<>(queue, payloadType, value, concurrency, retry, guards, options);
    }

    /** The same with always so many workers. */
    public Listener<T> withConcurrency(int value) {
        return withConcurrency(named(() -> Concurrency.fixed(value)));
    }

    /** The same with as many workers as the work needs, within these limits. */
    public Listener<T> withConcurrency(int min, int max) {
        return withConcurrency(named(() -> Concurrency.between(min, max)));
    }

    public Listener<T> withConcurrency(Concurrency value) {
        return new Listener<>(queue, payloadType, handler, value, retry, guards, options);
    }

    public Listener<T> withRetry(RetryPolicy value) {
        return new Listener<>(queue, payloadType, handler, concurrency, NamedOrGiven.of(value), guards, options);
    }

    /** Refers to a policy of {@code EngineBuilder#retryPolicy}. */
    public Listener<T> withRetry(String name) {
        return new Listener<>(queue, payloadType, handler, concurrency, NamedOrGiven.named(name), guards, options);
    }

    /** Gives the queue a circuit breaker of its own, or one that is there already. */
    public Listener<T> withBreaker(Guard.Source value) {
        return with(guards.withBreaker(NamedOrGiven.of(value)));
    }

    /** Refers to a circuit breaker of {@code EngineBuilder#breaker}; listeners with the same name share it. */
    public Listener<T> withBreaker(String name) {
        return with(guards.withBreaker(NamedOrGiven.named(name)));
    }

    /** Limits the starts of the queue in this node. */
    public Listener<T> withRateLimit(Guard.Source value) {
        return with(guards.withRateLimit(NamedOrGiven.of(value)));
    }

    /** Refers to a limit of {@code EngineBuilder#rateLimit}; listeners with the same name share it. */
    public Listener<T> withRateLimit(String name) {
        return with(guards.withRateLimit(NamedOrGiven.named(name)));
    }

    /** Lets at most so many run at once in this node. */
    public Listener<T> withBulkhead(int maxRunning) {
        return withBulkhead(named(() -> new Bulkhead(maxRunning)));
    }

    /** Gives the queue a bulkhead of its own, or one that is there already. */
    public Listener<T> withBulkhead(Guard.Source value) {
        return with(guards.withBulkhead(NamedOrGiven.of(value)));
    }

    /** Refers to a bulkhead of {@code EngineBuilder#bulkhead}; listeners with the same name share it. */
    public Listener<T> withBulkhead(String name) {
        return with(guards.withBulkhead(NamedOrGiven.named(name)));
    }

    public Listener<T> withOptions(HandlerOptions value) {
        return new Listener<>(queue, payloadType, handler, concurrency, retry, guards, value);
    }

    /** The same in external mode: no transaction is open while the handler runs. */
    public Listener<T> external() {
        return withOptions(named(() -> options.withMode(HandlerMode.EXTERNAL)));
    }

    public Listener<T> withTransactionSize(int value) {
        return withOptions(named(() -> options.withTransactionSize(value)));
    }

    /** The same with a limit for each call of the handler. */
    public Listener<T> withTimeout(Duration value) {
        return withOptions(named(() -> options.withTimeout(value, options.grace())));
    }

    /** The most messages that may be running at once in this engine. */
    public int maxRunning() {
        return concurrency.max() * options.transactionSize();
    }

    /** Settings, whose error tells for which queue they were meant. */
    private <V> V named(Supplier<V> settings) {
        try {
            return settings.get();
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("listener of queue '" + queue + "': " + e.getMessage(), e);
        }
    }

    private Listener<T> with(GuardRefs value) {
        return new Listener<>(queue, payloadType, handler, concurrency, retry, value, options);
    }
}
