package io.acidq.boot;

import io.acidq.DeadHeadPolicy;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.GuardRefs;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.store.ClaimStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One queue.
 *
 * @param workers         How many messages of the queue run at once in this application: a number, or a range such as 2-16 for as many as
 *                        the work needs within it; overrules the annotation's concurrency.
 * @param workersIdle     Workers that were not needed for so long are given back, down to the lower end of the range; 30s unless set.
 * @param workersLife     A worker older than this is replaced by a fresh thread between two runs; never unless set.
 * @param timeout         How long one call of the handler may take before it is stopped; overrules the annotation's timeout. Too short: slow
 *                        but honest runs are cut off and repeated; too long: a hanging one occupies its worker.
 * @param timeoutGrace    How long after the timeout's interrupt the connection is broken, and again until the worker is replaced; 2s unless set.
 *                        Too short: a handler that reacts to the interrupt is cut off while it tidies up.
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
 * @param direct          Whether an enqueue claims its message for a free worker of its own application, which then begins it sooner; false
 *                        unless set.
 */
record QueueProperties(
        @Nullable String workers,
        @Nullable Duration workersIdle,
        @Nullable Duration workersLife,
        @Nullable Duration timeout,
        @Nullable Duration timeoutGrace,
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
        @Nullable DeadHeadPolicy onHeadDeath,
        @Nullable Duration deadLetters,
        @Nullable Duration archive,
        @Nullable Boolean direct) {

    QueueConfig config() {
        workers(Concurrency.fixed(Listener.DEFAULT_WORKERS)); // refused also where no listener serves the queue
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
                new QueueConfig.Kept(deadLetters, archive),
                direct != null && direct);
    }

    /** These settings, and for each that is missing the one of the defaults. */
    QueueProperties over(QueueProperties defaults) {
        return new QueueProperties(
                or(workers, defaults.workers),
                or(workersIdle, defaults.workersIdle),
                or(workersLife, defaults.workersLife),
                or(timeout, defaults.timeout),
                or(timeoutGrace, defaults.timeoutGrace),
                or(transactionSize, defaults.transactionSize),
                or(retry, defaults.retry),
                or(breaker, defaults.breaker),
                or(rateLimit, defaults.rateLimit),
                or(bulkhead, defaults.bulkhead),
                or(keyWindow, defaults.keyWindow),
                or(backlogAlarm, defaults.backlogAlarm),
                or(ageAlarm, defaults.ageAlarm),
                or(claimStrategy, defaults.claimStrategy),
                or(onDuplicate, defaults.onDuplicate),
                // the time of another action would be refused
                onDuplicate == null ? or(onDuplicateTime, defaults.onDuplicateTime) : onDuplicateTime,
                or(onHeadDeath, defaults.onHeadDeath),
                or(deadLetters, defaults.deadLetters),
                or(archive, defaults.archive),
                or(direct, defaults.direct));
    }

    private static <V> @Nullable V or(@Nullable V own, @Nullable V inherited) {
        return own == null ? inherited : own;
    }

    /** Whether there is anything in it for a listener. */
    boolean isForListeners() {
        return Stream.of(
                        workers,
                        workersIdle,
                        workersLife,
                        timeout,
                        timeoutGrace,
                        transactionSize,
                        retry,
                        breaker,
                        rateLimit,
                        bulkhead)
                .anyMatch(Objects::nonNull);
    }

    /**
     * Gives a listener what it does not say itself, as defaults do. What it has from {@link Listener#on} counts as not said: an annotation
     * always has some concurrency.
     */
    <T> Listener<T> fill(Listener<T> listener) {
        HandlerOptions options = listener.options();
        GuardRefs guards = listener.guards();
        boolean isSized = options.transactionSize() > 1 || options.mode() == HandlerMode.EXTERNAL;
        Concurrency written = listener.workers();
        boolean isStaffed = !written.equals(Concurrency.fixed(Listener.DEFAULT_WORKERS));
        Concurrency filled = workers(written);
        return new QueueProperties(
                        isStaffed ? written.toString() : filled.toString(),
                        filled.idle(),
                        filled.life(),
                        options.timeout() == null ? timeout : null,
                        timeoutGrace,
                        isSized ? null : transactionSize,
                        listener.retry().isNone() ? retry : null,
                        guards.breaker().isNone() ? breaker : null,
                        guards.rateLimit().isNone() ? rateLimit : null,
                        guards.bulkhead().isNone() ? bulkhead : null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)
                .applyTo(listener);
    }

    <T> Listener<T> applyTo(Listener<T> listener) {
        Listener<T> changed = listener.withWorkers(workers(listener.workers()));
        changed = with(changed, timeout, Listener::withTimeout);
        changed = with(
                changed,
                timeoutGrace,
                (l, grace) -> l.withOptions(l.options().withTimeout(l.options().timeout(), grace)));
        changed = with(changed, transactionSize, Listener::withTransactionSize);
        changed = with(changed, retry, Listener::withRetry);
        changed = with(changed, breaker, Listener::withBreaker);
        changed = with(changed, rateLimit, Listener::withRateLimit);
        return with(changed, bulkhead, Listener::withBulkhead);
    }

    private Concurrency workers(Concurrency declared) {
        Concurrency number = workers == null ? declared : Concurrency.parse(workers);
        return new Concurrency(
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
