package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.engine.EngineConfig;
import io.acidq.engine.Listener;
import io.acidq.engine.QueueConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.util.unit.DataSize;

/**
 * The settings of AcidQ in Spring Boot. Immutable.
 *
 * @param enabled          Whether AcidQ is there at all. When false, methods with @Publish run without publishing anything.
 * @param initializeSchema Whether to create AcidQ's tables at start: in embedded databases (H2), always, or never. When they are not
 *                         created they are checked, and a wrong schema fails the start.
 * @param beat             How often the node says that it lives. Too short: needless writes; too long: slow rescue of what a dead node
 *                         held.
 * @param silentBeats      How many looks in a row must see no new beat before a node is declared dead. Too few: a pause of a living
 *                         node makes its work run again.
 * @param maxDeaths        How many processes a message may take down before it is a dead letter. Too low: deployments that kill
 *                         processes make dead letters of innocents; too high: a poisonous message kills as often.
 * @param pollMin          The shortest wait between two looks into a queue that had work a moment ago.
 * @param pollMax          The longest wait between two looks into an idle queue: the worst latency of a message that another process
 *                         enqueued. Too short: idle load; too long: latency.
 * @param keyWindow        How long a message key stays taken, counted from the due time, and never ending before the message does.
 * @param inboxWindow      How long the inbox recognizes a repetition, counted from the call that ran the work, where the caller sets no
 *                         other. Too short: a late repetition is done again; too long: a larger table.
 * @param maxPayloadSize   Larger payloads are refused at enqueue.
 * @param stopTimeout      How long a stop waits for running handlers before it interrupts them. Keep it below
 *                         spring.lifecycle.timeout-per-shutdown-phase.
 * @param tripwire         Whether handlers' transactions are guarded by a savepoint, so that one which the database replaced behind the
 *                         handler's back is never committed. Costs two statements a message.
 * @param queues           Settings of single queues, by queue name; a name with dots goes in brackets: acidq.queues[order.placed].
 * @param retry            Retry policies by the name that the retry attribute of @QueueListener refers to; the one named default is
 *                         that of listeners that name none.
 * @param breaker          Circuit breakers by the name that the breaker attribute of @QueueListener refers to.
 * @param rateLimit        Limits of starts by the name that the rateLimit attribute of @QueueListener refers to.
 * @param bulkhead         Limits of runs at once by the name that the bulkhead attribute of @QueueListener refers to.
 */
@ConfigurationProperties(prefix = "acidq", ignoreUnknownFields = false) // a mistyped name is no setting
record AcidqProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
        @DefaultValue("3s") Duration beat,
        @DefaultValue("6") int silentBeats,
        @DefaultValue("3") int maxDeaths,
        @DefaultValue("5ms") Duration pollMin,
        @DefaultValue("250ms") Duration pollMax,
        @DefaultValue("7d") Duration keyWindow,
        @DefaultValue("7d") Duration inboxWindow,
        @DefaultValue("1MB") DataSize maxPayloadSize,
        @DefaultValue("25s") Duration stopTimeout,
        @DefaultValue("true") boolean tripwire,
        @DefaultValue Map<String, Queue> queues,
        @DefaultValue Map<String, RetrySettings> retry,
        @DefaultValue Map<String, BreakerSettings> breaker,
        @DefaultValue Map<String, RateLimitSettings> rateLimit,
        @DefaultValue Map<String, BulkheadSettings> bulkhead) {

    EngineConfig engineConfig() {
        Map<String, QueueConfig> configs = new HashMap<>();
        queues.forEach((name, settings) -> configs.put(name, named(name, settings::config)));
        return new EngineConfig(
                beat,
                silentBeats,
                maxDeaths,
                pollMin,
                pollMax,
                keyWindow,
                inboxWindow,
                maxPayloadBytes(),
                stopTimeout,
                configs);
    }

    /** Says which queue's settings were refused. */
    static <T> T named(String queue, Supplier<T> settings) {
        try {
            return settings.get();
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("setting acidq.queues[" + queue + "]: " + e.getMessage(), e);
        }
    }

    private int maxPayloadBytes() {
        long bytes = maxPayloadSize.toBytes();
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new QueueMisuseException(
                    "engine: maxPayloadBytes (acidq.max-payload-size) must be at least 1 byte and below 2 GB, was "
                            + maxPayloadSize);
        }
        return (int) bytes;
    }

    /**
     * One queue.
     *
     * @param workers         How many messages of the queue run at once in this application; overrules the annotation's concurrency.
     * @param timeout         How long one call of the handler may take before it is stopped; overrules the annotation's timeout. Too short: slow
     *                        but honest runs are cut off and repeated; too long: a hanging one occupies its worker.
     * @param transactionSize How many messages one transaction may hold; overrules the annotation's transactionSize.
     * @param retry           The name of its retry policy; overrules the annotation's.
     * @param breaker         The name of its circuit breaker; overrules the annotation's.
     * @param rateLimit       The name of its limit of starts; overrules the annotation's.
     * @param bulkhead        The name of its limit of runs at once; overrules the annotation's.
     * @param keyWindow       How long a message key of the queue stays taken, counted from the due time; acidq.key-window unless set.
     */
    record Queue(
            @Nullable Integer workers,
            @Nullable Duration timeout,
            @Nullable Integer transactionSize,
            @Nullable String retry,
            @Nullable String breaker,
            @Nullable String rateLimit,
            @Nullable String bulkhead,
            @Nullable Duration keyWindow) {

        QueueConfig config() {
            return keyWindow == null
                    ? QueueConfig.defaults()
                    : QueueConfig.defaults().withKeyWindow(keyWindow);
        }

        /** Whether there is anything in it for a listener. */
        boolean isForListeners() {
            return !equals(new Queue(null, null, null, null, null, null, null, keyWindow));
        }

        <T> Listener<T> applyTo(Listener<T> listener) {
            Listener<T> changed = with(listener, workers, Listener::withWorkers);
            changed = with(changed, timeout, Listener::withTimeout);
            changed = with(changed, transactionSize, Listener::withTransactionSize);
            changed = with(changed, retry, Listener::withRetry);
            changed = with(changed, breaker, Listener::withBreaker);
            changed = with(changed, rateLimit, Listener::withRateLimit);
            return with(changed, bulkhead, Listener::withBulkhead);
        }

        private static <T, V> Listener<T> with(
                Listener<T> listener, @Nullable V value, BiFunction<Listener<T>, V, Listener<T>> wither) {
            return value == null ? listener : wither.apply(listener, value);
        }
    }
}
