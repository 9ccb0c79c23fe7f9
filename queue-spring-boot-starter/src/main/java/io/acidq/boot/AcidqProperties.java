package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.engine.EngineConfig;
import io.acidq.engine.Listener;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
 * @param retry            Retry policies by the name that the retry attribute of @QueueListener refers to.
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
        @DefaultValue Map<String, Retry> retry) {

    EngineConfig engineConfig() {
        return new EngineConfig(
                beat, silentBeats, maxDeaths, pollMin, pollMax, keyWindow, inboxWindow, maxPayloadBytes(), stopTimeout);
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
     */
    record Queue(
            @Nullable Integer workers,
            @Nullable Duration timeout,
            @Nullable Integer transactionSize) {

        <T> Listener<T> applyTo(Listener<T> listener) {
            Listener<T> changed = workers == null ? listener : listener.withWorkers(workers);
            changed = timeout == null ? changed : changed.withTimeout(timeout);
            return transactionSize == null ? changed : changed.withTransactionSize(transactionSize);
        }
    }

    /**
     * One retry policy.
     *
     * @param maxAttempts  Starts until the message is a dead letter. Too low: a short outage of a partner kills messages; too high: a
     *                     message that can not succeed is tried for days.
     * @param initialDelay The wait after the first failure. Too low: a struggling partner is hit at once; too high: a hiccup costs latency.
     * @param multiplier   By which each wait is longer than the one before.
     * @param maxDelay     No wait is longer, before jitter.
     * @param jitter       Each wait is shortened or lengthened at random by up to this share, 0 to below 1.
     * @param fatal        Failures of these types, or with such a cause, make a dead letter at once.
     */
    record Retry(
            @DefaultValue("5") int maxAttempts,
            @DefaultValue("1s") Duration initialDelay,
            @DefaultValue("2") double multiplier,
            @DefaultValue("10m") Duration maxDelay,
            @DefaultValue("0.2") double jitter,
            @DefaultValue List<Class<? extends Throwable>> fatal) {

        RetryPolicy policy() {
            return new RetryPolicy(maxAttempts, initialDelay, multiplier, maxDelay, jitter, fatal);
        }
    }
}
