package io.acidq.config;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.InputChecks;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.NamedOrGiven;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A handler with its queue and settings. Immutable.
 *
 * <pre>{@code
 * Listener<OrderPlaced> listener = Listener.on("orders", OrderPlaced.class, handler)
 *         .withConcurrency(2, 16)
 *         .withRetry(RetryPolicy.defaults().withMaxAttempts(8))
 *         .withTimeout(Duration.ofSeconds(30));
 * }</pre>
 *
 * @param queue       the name of the queue; an engine has at most one listener for each queue
 * @param payloadType the type as which payloads are decoded
 * @param handler     processes the messages
 * @param concurrency how many messages of the queue run at the same time in this engine. Default 4
 * @param retry       the retry policy: an object, its name in the engine, or the default of the queue or the engine
 * @param guards      circuit breaker, rate limit and bulkhead; none by default
 * @param options     mode, transaction size and timeout
 * @param filter      the filter of the subscription; null to keep the one that it has, or none if it is new
 */
public record Listener<T>(
        String queue,
        Class<T> payloadType,
        Handler<T> handler,
        Concurrency concurrency,
        NamedOrGiven<RetryPolicy> retry,
        GuardRefs guards,
        HandlerOptions options,
        @Nullable String filter) {

    /** The default number of workers. */
    public static final int DEFAULT_CONCURRENCY = 4;

    public Listener {
        InputChecks.checkQueue(queue);
        if (payloadType == null || handler == null) {
            throw new QueueMisuseException("listener of queue '" + queue + "': "
                    + (handler == null ? "the handler" : "the payload type")
                    + " is null: give a payload type and a handler");
        }
        if (filter != null && !InputChecks.isSubscriptionQueue(queue)) {
            throw new QueueMisuseException(
                    "listener of queue '" + queue
                            + "' has a filter, which only a subscription can have: make it a listener of a topic, or remove the filter");
        }
        if (handler instanceof BatchHandlerAdapter && options.mode() == HandlerMode.EXTERNAL) {
            throw new QueueMisuseException("listener of queue '" + queue
                    + "': a batch handler cannot run in external mode: use a plain handler, or the transactional mode");
        }
    }

    /** A listener with default settings. */
    public static <T> Listener<T> on(String queue, Class<T> payloadType, Handler<T> handler) {
        return new Listener<>(
                queue,
                payloadType,
                handler,
                Concurrency.fixed(DEFAULT_CONCURRENCY),
                NamedOrGiven.none(),
                GuardRefs.none(),
                HandlerOptions.defaults(),
                null);
    }

    /**
     * A listener of a subscription of a topic. The start of the engine adds the subscription when it is new. Listeners of the same subscription, in several
     * processes, share its messages; listeners of different subscriptions each get all of them.
     *
     * @param subscription the name of the subscription, unique in the topic
     */
    public static <T> Listener<T> onTopic(String topic, String subscription, Class<T> payloadType, Handler<T> handler) {
        return on(InputChecks.subscriptionQueue(topic, subscription), payloadType, handler);
    }

    /**
     * A listener whose handler processes several messages in one transaction.
     *
     * @param size the maximum number of messages, 1 to 1000; the handler is called with those that are ready, without waiting for more
     */
    public static <T> Listener<T> onBatch(String queue, Class<T> payloadType, int size, BatchHandler<T> handler) {
        return on(queue, payloadType, new BatchHandlerAdapter<>(handler)).withTransactionSize(size);
    }

    /** Sets the handler, for example one that wraps {@link #handler}. */
    public Listener<T> withHandler(Handler<T> value) {
        return new Listener<>(queue, payloadType, value, concurrency, retry, guards, options, filter);
    }

    /**
     * Sets the filter of the subscription; see {@link io.acidq.admin.Subscriptions#subscribe(String, String, String)}. The start of the engine fails when the
     * subscription exists with another filter.
     */
    public Listener<T> withFilter(String value) {
        named(() -> SubscriptionFilter.parse(value));
        return new Listener<>(queue, payloadType, handler, concurrency, retry, guards, options, value);
    }

    /** Sets a fixed number of workers, 1 to 1000. */
    public Listener<T> withConcurrency(int value) {
        return withConcurrency(named(() -> Concurrency.fixed(value)));
    }

    /** Sets a range of workers; their number follows the backlog. */
    public Listener<T> withConcurrency(int min, int max) {
        return withConcurrency(named(() -> Concurrency.between(min, max)));
    }

    /** Sets the number of workers. */
    public Listener<T> withConcurrency(Concurrency value) {
        return new Listener<>(queue, payloadType, handler, value, retry, guards, options, filter);
    }

    /** Sets the retry policy. */
    public Listener<T> withRetry(RetryPolicy value) {
        return new Listener<>(
                queue, payloadType, handler, concurrency, NamedOrGiven.of(value), guards, options, filter);
    }

    /** Sets the retry policy by name, defined by {@code EngineBuilder#retryPolicy}. */
    public Listener<T> withRetry(String name) {
        return new Listener<>(
                queue, payloadType, handler, concurrency, NamedOrGiven.named(name), guards, options, filter);
    }

    /** Sets a circuit breaker for this listener only: a {@link io.acidq.resilience.Breaker}, or an existing one. */
    public Listener<T> withBreaker(Guard.Source value) {
        return with(guards.withBreaker(NamedOrGiven.of(value)));
    }

    /** Sets the circuit breaker by name, defined by {@code EngineBuilder#breaker}; listeners with the same name share it. */
    public Listener<T> withBreaker(String name) {
        return with(guards.withBreaker(NamedOrGiven.named(name)));
    }

    /** Sets a limit of starts in this node: a {@link io.acidq.resilience.RateLimit}, or an existing one. */
    public Listener<T> withRateLimit(Guard.Source value) {
        return with(guards.withRateLimit(NamedOrGiven.of(value)));
    }

    /** Sets the rate limit by name, defined by {@code EngineBuilder#rateLimit}; listeners with the same name share it. */
    public Listener<T> withRateLimit(String name) {
        return with(guards.withRateLimit(NamedOrGiven.named(name)));
    }

    /** Sets how many messages may run at the same time in this node. */
    public Listener<T> withBulkhead(int maxRunning) {
        return withBulkhead(named(() -> new Bulkhead(maxRunning)));
    }

    /** Sets a bulkhead for this listener only: a {@link Bulkhead}, or an existing one. */
    public Listener<T> withBulkhead(Guard.Source value) {
        return with(guards.withBulkhead(NamedOrGiven.of(value)));
    }

    /** Sets the bulkhead by name, defined by {@code EngineBuilder#bulkhead}; listeners with the same name share it. */
    public Listener<T> withBulkhead(String name) {
        return with(guards.withBulkhead(NamedOrGiven.named(name)));
    }

    /** Sets mode, transaction size and timeout. */
    public Listener<T> withOptions(HandlerOptions value) {
        return new Listener<>(queue, payloadType, handler, concurrency, retry, guards, value, filter);
    }

    /** Sets the external mode: no transaction is open while the handler runs. */
    public Listener<T> external() {
        return withOptions(named(() -> options.withMode(HandlerMode.EXTERNAL)));
    }

    /** Sets how many messages one transaction may process, 1 to 1000. */
    public Listener<T> withTransactionSize(int value) {
        return withOptions(named(() -> options.withTransactionSize(value)));
    }

    /** Sets how long one call of the handler may take. */
    public Listener<T> withTimeout(Duration value) {
        return withOptions(named(() -> options.withTimeout(value, options.grace())));
    }

    /** Sets that the expiry of a message also ends its run, as a timeout does. */
    public Listener<T> withDeadline() {
        return withOptions(options.withDeadline(true));
    }

    /** Sets that the thread of a run is interrupted when an operator asks to cancel its message. */
    public Listener<T> withInterruptOnCancel() {
        return withOptions(options.withInterruptOnCancel(true));
    }

    /** The maximum number of messages that run at the same time in this engine. */
    public int maxRunning() {
        return concurrency.max() * options.transactionSize();
    }

    /** Adds the name of the queue to an error. */
    private <V> V named(Supplier<V> settings) {
        try {
            return settings.get();
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("listener of queue '" + queue + "': " + e.getMessage(), e);
        }
    }

    private Listener<T> with(GuardRefs value) {
        return new Listener<>(queue, payloadType, handler, concurrency, retry, value, options, filter);
    }

    /**
     * The guards of a listener. Each is an object (used by this listener only), a name (shared with the other listeners of the engine that use the
     * name), or absent. Immutable.
     *
     * @param breaker   the circuit breaker
     * @param rateLimit the rate limit of starts
     * @param bulkhead  the limit of messages that run at the same time
     */
    public record GuardRefs(
            NamedOrGiven<Guard.Source> breaker,
            NamedOrGiven<Guard.Source> rateLimit,
            NamedOrGiven<Guard.Source> bulkhead) {

        private static final GuardRefs NONE =
                new GuardRefs(NamedOrGiven.none(), NamedOrGiven.none(), NamedOrGiven.none());

        public static GuardRefs none() {
            return NONE;
        }

        GuardRefs withBreaker(NamedOrGiven<Guard.Source> value) {
            return new GuardRefs(value, rateLimit, bulkhead);
        }

        GuardRefs withRateLimit(NamedOrGiven<Guard.Source> value) {
            return new GuardRefs(breaker, value, bulkhead);
        }

        GuardRefs withBulkhead(NamedOrGiven<Guard.Source> value) {
            return new GuardRefs(breaker, rateLimit, value);
        }
    }

    /**
     * Adapts a batch handler to {@link Handler}: a single message is passed as a list with one item.
     *
     * @param handler the batch handler
     */
    public record BatchHandlerAdapter<T>(BatchHandler<T> handler) implements Handler<T> {

        @Override
        public Outcome handle(T payload, Delivery delivery) throws Exception {
            return handleAll(List.of(new Item<>(payload, delivery))).get(0);
        }

        /** Calls the batch handler and checks its result. */
        public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
            List<Outcome> outcomes = handler.handleAll(items);
            if (outcomes == null
                    || outcomes.size() != items.size()
                    || outcomes.stream().anyMatch(o -> o == null)) {
                throw new QueueMisuseException("a batch handler must return one outcome for each of the messages, here "
                        + items.size() + ", and returned " + outcomes
                        + ": when all are done, return BatchHandler.allDone(items)");
            }
            return outcomes;
        }
    }
}
