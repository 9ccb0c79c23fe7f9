package io.acidq.boot;

import io.acidq.HeadDeath;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.config.Workers;
import io.acidq.store.ClaimStrategy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
 * @param retention        How long is kept what nobody needs any more for the work itself.
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
        @DefaultValue RetentionTimes retention,
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
                retention.retention(),
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
     * How long is kept what nobody needs any more for the work itself. Where applications differ, the shortest time counts.
     *
     * @param audit       How long the audit table tells what operators did. Too short: nobody knows any more; too long: a larger table.
     * @param deadLetters How long dead letters are kept where their queue says nothing else; for ever unless set. Too short: messages are lost
     *                    before somebody has looked at them; too long: a larger table, and keys that stay taken.
     * @param nodes       How long the rows of nodes are kept after their end.
     */
    record RetentionTimes(
            @DefaultValue("365d") Duration audit,
            @Nullable Duration deadLetters,
            @DefaultValue("7d") Duration nodes) {

        Retention retention() {
            return new Retention(audit, deadLetters, nodes);
        }
    }

    /**
     * One queue.
     *
     * @param workers         How many messages of the queue run at once in this application: a number, or a range such as 2-16 for as many as
     *                        the work needs within it; overrules the annotation's concurrency.
     * @param workersIdle     Workers that were not needed for so long are given back, down to the lower end of the range; 30s unless set.
     * @param workersLife     A worker older than this is replaced by a fresh thread between two runs; never unless set.
     * @param timeout         How long one call of the handler may take before it is stopped; overrules the annotation's timeout. Too short: slow
     *                        but honest runs are cut off and repeated; too long: a hanging one occupies its worker.
     * @param transactionSize How many messages one transaction may hold; overrules the annotation's transactionSize.
     * @param retry           The name of its retry policy; overrules the annotation's.
     * @param breaker         The name of its circuit breaker; overrules the annotation's.
     * @param rateLimit       The name of its limit of starts; overrules the annotation's.
     * @param bulkhead        The name of its limit of runs at once; overrules the annotation's.
     * @param keyWindow       How long a message key of the queue stays taken, counted from the due time; acidq.key-window unless set.
     * @param claimStrategy   How this application claims the queue: lanes, for-update, optimistic, batch-id or user-variable; lanes unless set, or what
     *                        the server turns out to be able to do. With any but lanes the queue takes no ordering keys.
     * @param backlogAlarm    More unclaimed messages than this raise an alarm; none unless set.
     * @param ageAlarm        An unclaimed message that was due for the first time so long ago raises an alarm; none unless set.
     * @param onDuplicate     What an enqueue does when its key is taken and its options say nothing: ignore, reject, replace, debounce or throttle.
     * @param onDuplicateTime The period of throttle, or the longest wait of debounce.
     * @param onHeadDeath     What becomes of an ordering key of the queue whose first message dies: skip, block or park. Written to the database at
     *                        the start, for all nodes; as it stands there unless set.
     * @param deadLetters     How long dead letters of the queue are kept; acidq.retention.dead-letters unless set.
     * @param archive         How long messages of the queue are kept when they are done; not at all unless set. Costs about a third of the
     *                        throughput.
     */
    record Queue(
            @Nullable String workers,
            @Nullable Duration workersIdle,
            @Nullable Duration workersLife,
            @Nullable Duration timeout,
            @Nullable Integer transactionSize,
            @Nullable String retry,
            @Nullable String breaker,
            @Nullable String rateLimit,
            @Nullable String bulkhead,
            @Nullable Duration keyWindow,
            @Nullable Integer backlogAlarm,
            @Nullable Duration ageAlarm,
            @Nullable ClaimStrategy claimStrategy,
            OnDuplicate.@Nullable Action onDuplicate,
            @Nullable Duration onDuplicateTime,
            @Nullable HeadDeath onHeadDeath,
            @Nullable Duration deadLetters,
            @Nullable Duration archive) {

        QueueConfig config() {
            workers(Workers.fixed(Listener.DEFAULT_WORKERS)); // refused also where no listener serves the queue
            if (onDuplicate == null && onDuplicateTime != null) {
                throw new QueueMisuseException(
                        "on-duplicate-time is the time of throttle or debounce: set on-duplicate too");
            }
            return new QueueConfig(
                    keyWindow,
                    onDuplicate == null ? null : new OnDuplicate(onDuplicate, onDuplicateTime),
                    onHeadDeath,
                    claimStrategy,
                    new QueueConfig.Alarm(backlogAlarm, ageAlarm),
                    new QueueConfig.Kept(deadLetters, archive));
        }

        /** Whether there is anything in it for a listener. */
        boolean isForListeners() {
            return Stream.of(
                            workers,
                            workersIdle,
                            workersLife,
                            timeout,
                            transactionSize,
                            retry,
                            breaker,
                            rateLimit,
                            bulkhead)
                    .anyMatch(Objects::nonNull);
        }

        <T> Listener<T> applyTo(Listener<T> listener) {
            Listener<T> changed = listener.withWorkers(workers(listener.workers()));
            changed = with(changed, timeout, Listener::withTimeout);
            changed = with(changed, transactionSize, Listener::withTransactionSize);
            changed = with(changed, retry, Listener::withRetry);
            changed = with(changed, breaker, Listener::withBreaker);
            changed = with(changed, rateLimit, Listener::withRateLimit);
            return with(changed, bulkhead, Listener::withBulkhead);
        }

        private Workers workers(Workers declared) {
            Workers number = workers == null ? declared : Workers.parse(workers);
            return new Workers(
                    number.min(),
                    number.max(),
                    workersIdle == null ? declared.idle() : workersIdle,
                    workersLife == null ? declared.life() : workersLife);
        }

        private static <T, V> Listener<T> with(
                Listener<T> listener, @Nullable V value, BiFunction<Listener<T>, V, Listener<T>> wither) {
            return value == null ? listener : wither.apply(listener, value);
        }
    }
}
