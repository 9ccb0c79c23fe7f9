package io.acidq.boot;

import io.acidq.DeadHeadPolicy;
import io.acidq.OnDuplicate;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.Listener.GuardRefs;
import io.acidq.config.QueueConfig;
import io.acidq.store.ClaimStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of one queue.
 *
 * @param concurrency          How many handlers of the queue run at once in this application: a number such as 4, or a range such as 2-16, within
 *                             which the number of workers follows the work. Overrides the concurrency of the annotation.
 * @param workerIdleTimeout    A worker above the lower end of the range that has had no message for this time ends. Default: 30s.
 * @param workerMaxLifetime    A worker that is older than this is replaced by a new thread between two messages. Default: never.
 * @param timeout              How long one call of the handler may take before the engine interrupts it. Overrides the timeout of the annotation. Too
 *                             short: slow but correct runs are interrupted and repeated. Too long: a handler that hangs occupies its worker.
 * @param timeoutGrace         How long after the interrupt the engine aborts the handler's connection, and how long after that it replaces the
 *                             worker. Default: 2s. Too short: a handler that reacts to the interrupt cannot clean up.
 * @param transactionSize      How many messages one transaction may contain. Overrides the transactionSize of the annotation.
 * @param retry                The name of the retry policy. Overrides the one of the annotation.
 * @param breaker              The name of the circuit breaker. Overrides the one of the annotation.
 * @param rateLimit            The name of the rate limit. Overrides the one of the annotation.
 * @param bulkhead             The name of the bulkhead. Overrides the one of the annotation.
 * @param deduplicationWindow  How long a message key of the queue stays taken, counted from the due time. Default: acidq.deduplication-window.
 * @param alarm                When the backlog of the queue raises an alarm.
 * @param claimStrategy        How this application claims messages of the queue: lanes, for-update, optimistic, batch-id or user-variable. Default:
 *                             lanes, unless the server cannot do it. With any other strategy the queue accepts no ordering keys.
 * @param onDuplicate          What an enqueue does when its key is taken and its options do not say: ignore, reject, replace, debounce or throttle.
 * @param onDuplicateTime      The period of throttle, or the longest wait of debounce.
 * @param onDeadHead           What happens to an ordering key whose first message is dead-lettered: skip, block or park. Written to the database at
 *                             the start, for all nodes. Default: what the database says.
 * @param retention            How long messages that are dead or done are kept.
 * @param directHandoff        Whether an enqueue claims its message for an idle worker of its own application, which then starts it sooner. Default:
 *                             false.
 * @param priority             How soon messages without a priority of their own start compared with others of the queue: high, normal or low. With
 *                             another one than normal, messages with an ordering key must set normal. Default: normal.
 * @param expiresAfter         How long after its due time a message may be started that is enqueued without an expiry. Default: any time.
 * @param onExpiry             What happens to a message that has expired before it was started: drop or dead. Default: drop.
 * @param deadline             Whether the expiry of a message also ends its run. Overrides a deadline of false in the annotation. Default: false.
 */
record QueueProperties(
        @Nullable String concurrency,
        @Nullable Duration workerIdleTimeout,
        @Nullable Duration workerMaxLifetime,
        @Nullable Duration timeout,
        @Nullable Duration timeoutGrace,
        @Nullable Integer transactionSize,
        @Nullable String retry,
        @Nullable String breaker,
        @Nullable String rateLimit,
        @Nullable String bulkhead,
        @Nullable Duration deduplicationWindow,
        @DefaultValue AlarmSettings alarm,
        @Nullable ClaimStrategy claimStrategy,
        OnDuplicate.@Nullable Action onDuplicate,
        @Nullable Duration onDuplicateTime,
        @Nullable DeadHeadPolicy onDeadHead,
        @DefaultValue RetentionSettings retention,
        @Nullable Boolean directHandoff,
        @Nullable Priority priority,
        @Nullable Duration expiresAfter,
        QueueConfig.@Nullable ExpiryAction onExpiry,
        @Nullable Boolean deadline) {

    /**
     * When the backlog of a queue raises an alarm.
     *
     * @param backlog More unclaimed messages than this raise an alarm. Default: none.
     * @param age     An unclaimed message that was first due longer ago than this raises an alarm. Default: none.
     */
    record AlarmSettings(
            @Nullable Integer backlog, @Nullable Duration age) {

        static final AlarmSettings NONE = new AlarmSettings(null, null);

        AlarmSettings over(AlarmSettings defaults) {
            return new AlarmSettings(or(backlog, defaults.backlog), or(age, defaults.age));
        }
    }

    /**
     * How long messages that are dead or done are kept.
     *
     * @param deadLetters How long dead letters of the queue are kept. Default: acidq.retention.dead-letters.
     * @param archive     How long messages of the queue are kept after they are done. Default: not at all. Reduces the throughput by about a
     *                    third.
     */
    record RetentionSettings(
            @Nullable Duration deadLetters, @Nullable Duration archive) {

        static final RetentionSettings NONE = new RetentionSettings(null, null);

        RetentionSettings over(RetentionSettings defaults) {
            return new RetentionSettings(or(deadLetters, defaults.deadLetters), or(archive, defaults.archive));
        }
    }

    QueueConfig config() {
        workers(Concurrency.fixed(Listener.DEFAULT_CONCURRENCY)); // checked also if no listener serves the queue
        if (onDuplicate == null && onDuplicateTime != null) {
            throw new QueueMisuseException(
                    "on-duplicate-time is the time of throttle or debounce: set on-duplicate too");
        }
        return new QueueConfig(
                deduplicationWindow,
                onDuplicate == null ? null : new OnDuplicate(onDuplicate, onDuplicateTime),
                onDeadHead,
                claimStrategy,
                new QueueConfig.Alarm(alarm.backlog(), alarm.age()),
                new QueueConfig.QueueRetention(retention.deadLetters(), retention.archive()),
                directHandoff != null && directHandoff,
                priority,
                expiresAfter,
                onExpiry == null ? QueueConfig.ExpiryAction.DROP : onExpiry);
    }

    /** Returns these settings, completed by the defaults. */
    QueueProperties over(QueueProperties defaults) {
        return new QueueProperties(
                or(concurrency, defaults.concurrency),
                or(workerIdleTimeout, defaults.workerIdleTimeout),
                or(workerMaxLifetime, defaults.workerMaxLifetime),
                or(timeout, defaults.timeout),
                or(timeoutGrace, defaults.timeoutGrace),
                or(transactionSize, defaults.transactionSize),
                or(retry, defaults.retry),
                or(breaker, defaults.breaker),
                or(rateLimit, defaults.rateLimit),
                or(bulkhead, defaults.bulkhead),
                or(deduplicationWindow, defaults.deduplicationWindow),
                alarm.over(defaults.alarm),
                or(claimStrategy, defaults.claimStrategy),
                or(onDuplicate, defaults.onDuplicate),
                // the time belongs to the action, and another action could refuse it
                onDuplicate == null ? or(onDuplicateTime, defaults.onDuplicateTime) : onDuplicateTime,
                or(onDeadHead, defaults.onDeadHead),
                retention.over(defaults.retention),
                or(directHandoff, defaults.directHandoff),
                or(priority, defaults.priority),
                or(expiresAfter, defaults.expiresAfter),
                or(onExpiry, defaults.onExpiry),
                or(deadline, defaults.deadline));
    }

    private static <V> @Nullable V or(@Nullable V own, @Nullable V inherited) {
        return own == null ? inherited : own;
    }

    /** Returns whether there is a setting for a listener. */
    boolean isForListeners() {
        return Stream.of(
                        concurrency,
                        workerIdleTimeout,
                        workerMaxLifetime,
                        timeout,
                        timeoutGrace,
                        transactionSize,
                        retry,
                        breaker,
                        rateLimit,
                        bulkhead,
                        deadline)
                .anyMatch(Objects::nonNull);
    }

    /**
     * Sets what a listener does not set itself. A value that equals the default of {@link Listener#on} counts as not set, because an annotation
     * always has some concurrency.
     */
    <T> Listener<T> fill(Listener<T> listener) {
        HandlerOptions options = listener.options();
        GuardRefs guards = listener.guards();
        boolean isSized = options.transactionSize() > 1 || options.mode() == HandlerMode.EXTERNAL;
        Concurrency written = listener.concurrency();
        boolean isSet = !written.equals(Concurrency.fixed(Listener.DEFAULT_CONCURRENCY));
        Concurrency filled = workers(written);
        return new QueueProperties(
                        isSet ? written.toString() : filled.toString(),
                        filled.idleTimeout(),
                        filled.maxLifetime(),
                        options.timeout() == null ? timeout : null,
                        timeoutGrace,
                        isSized ? null : transactionSize,
                        listener.retry().isNone() ? retry : null,
                        guards.breaker().isNone() ? breaker : null,
                        guards.rateLimit().isNone() ? rateLimit : null,
                        guards.bulkhead().isNone() ? bulkhead : null,
                        null,
                        AlarmSettings.NONE,
                        null,
                        null,
                        null,
                        null,
                        RetentionSettings.NONE,
                        null,
                        null,
                        null,
                        null,
                        deadline)
                .applyTo(listener);
    }

    <T> Listener<T> applyTo(Listener<T> listener) {
        Listener<T> changed = listener.withConcurrency(workers(listener.concurrency()));
        changed = with(changed, timeout, Listener::withTimeout);
        changed = with(
                changed,
                timeoutGrace,
                (l, grace) -> l.withOptions(l.options().withTimeout(l.options().timeout(), grace)));
        changed = with(changed, transactionSize, Listener::withTransactionSize);
        changed = with(changed, retry, Listener::withRetry);
        changed = with(changed, breaker, Listener::withBreaker);
        changed = with(changed, rateLimit, Listener::withRateLimit);
        changed = with(changed, bulkhead, Listener::withBulkhead);
        return Boolean.TRUE.equals(deadline) ? changed.withDeadline() : changed;
    }

    private Concurrency workers(Concurrency declared) {
        Concurrency number = concurrency == null ? declared : Concurrency.parse(concurrency);
        return new Concurrency(
                number.min(),
                number.max(),
                workerIdleTimeout == null ? declared.idleTimeout() : workerIdleTimeout,
                workerMaxLifetime == null ? declared.maxLifetime() : workerMaxLifetime);
    }

    private static <T, V> Listener<T> with(
            Listener<T> listener, @Nullable V value, BiFunction<Listener<T>, V, Listener<T>> wither) {
        return value == null ? listener : wither.apply(listener, value);
    }
}
