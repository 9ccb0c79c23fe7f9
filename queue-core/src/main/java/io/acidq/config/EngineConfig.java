package io.acidq.config;

import io.acidq.InboxLimits;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine. Immutable; checked at once.
 *
 * @param heartbeatInterval            how often the node says that it lives. Too short: needless writes; too long: slow rescue of what a
 *                        dead node held. Nothing is started when no beat succeeded for three of these. 50 ms to 1 hour. Default 3 s
 * @param missedHeartbeatsLimit     how many looks in a row must see no new beat before a node is declared dead. Too few: a pause of a
 *                        living node makes its work run again (its effects are fenced off, the work is wasted). At least 4.
 *                        Default 6
 * @param maxCrashes       how many processes a message may take down before it is a dead letter. Too low: deployments that kill
 *                        processes make dead letters of innocents; too high: a poisonous message kills as often. Default 3
 * @param pollMinInterval         the shortest wait between two looks into a queue that had work a moment ago. At least 1 ms. Default 5 ms
 * @param pollMaxInterval         the longest wait between two looks into an idle queue: the usual worst latency of a message that another
 *                        process enqueued. Too short: idle load; too long: latency. pollMinInterval to 1 day. Default 250 ms
 * @param deduplicationWindow       how long a message key stays taken, counted from the due time, and never ending before the message
 *                        does. Default 7 days
 * @param inboxRetention     how long {@link io.acidq.Inbox} recognizes a repetition, counted from the call that ran the work, where the caller
 *                        sets no other. Too short: a late repetition is done again; too long: a larger table. Default 7 days
 * @param maxPayloadBytes larger payloads are refused at enqueue. Default 1 MiB
 * @param stopTimeout     how long a stop waits for running handlers before it interrupts them. 0 to 1 day. Default 25 s
 * @param retention       how long is kept what nobody needs any more for the work itself
 * @param queues          what differs for single queues, by name; nothing of {@code queueDefaults} holds for these
 * @param queueDefaults   the settings of all other queues. Alarms and {@link QueueConfig#onDeadHead} of it are for those that a listener of
 *                        the engine serves
 */
public record EngineConfig(
        Duration heartbeatInterval,
        int missedHeartbeatsLimit,
        int maxCrashes,
        Duration pollMinInterval,
        Duration pollMaxInterval,
        Duration deduplicationWindow,
        Duration inboxRetention,
        int maxPayloadBytes,
        Duration stopTimeout,
        Retention retention,
        Map<String, QueueConfig> queues,
        QueueConfig queueDefaults) {

    static final Duration MAX_WINDOW = Retention.MAX;

    private static final Duration ONE_DAY = Duration.ofDays(1);

    private static final EngineConfig DEFAULTS = new EngineConfig(
            Duration.ofSeconds(3),
            6,
            3,
            Duration.ofMillis(5),
            Duration.ofMillis(250),
            Duration.ofDays(7),
            Duration.ofDays(7),
            1024 * 1024,
            Duration.ofSeconds(25),
            Retention.defaults(),
            Map.of(),
            QueueConfig.defaults());

    public EngineConfig {
        require(
                isWithin(heartbeatInterval, Duration.ofMillis(50), Duration.ofHours(1)),
                "heartbeatInterval (acidq.heartbeat-interval) must be 50 ms to 1 hour, was " + heartbeatInterval);
        require(
                missedHeartbeatsLimit >= 4,
                "missedHeartbeatsLimit (acidq.silent-heartbeats) must be at least 4, was " + missedHeartbeatsLimit);
        require(maxCrashes >= 1, "maxCrashes (acidq.max-crashes) must be at least 1, was " + maxCrashes);
        require(
                isWithin(pollMinInterval, Duration.ofMillis(1), ONE_DAY),
                "pollMinInterval (acidq.poll.min-interval) must be 1 ms to 1 day, was " + pollMinInterval);
        require(
                isWithin(pollMaxInterval, pollMinInterval, ONE_DAY),
                "pollMaxInterval (acidq.poll.max-interval) must be pollMinInterval (" + pollMinInterval
                        + ") to 1 day, was " + pollMaxInterval);
        require(
                isWithin(deduplicationWindow, Duration.ZERO, MAX_WINDOW),
                "deduplicationWindow (acidq.deduplication-window) must be 0 to 36500 days, was " + deduplicationWindow);
        InboxLimits.checkWindow(inboxRetention);
        require(
                maxPayloadBytes >= 1,
                "maxPayloadBytes (acidq.max-payload-size) must be at least 1 byte and below 2 GB, was "
                        + maxPayloadBytes);
        require(
                isWithin(stopTimeout, Duration.ZERO, ONE_DAY),
                "stopTimeout (acidq.stop-timeout) must be 0 to 1 day, was " + stopTimeout);
        queues.keySet().forEach(QueueNames::check);
        queues = Map.copyOf(queues);
    }

    public static EngineConfig defaults() {
        return DEFAULTS;
    }

    /** Sets how life is shown and death is found. */
    public EngineConfig withHeartbeat(Duration everyBeat, int silent) {
        return with(builder -> {
            builder.heartbeatInterval = everyBeat;
            builder.missedHeartbeatsLimit = silent;
        });
    }

    public EngineConfig withMaxCrashes(int value) {
        return with(builder -> builder.maxCrashes = value);
    }

    public EngineConfig withPolling(Duration min, Duration max) {
        return with(builder -> {
            builder.pollMinInterval = min;
            builder.pollMaxInterval = max;
        });
    }

    public EngineConfig withDeduplicationWindow(Duration value) {
        return with(builder -> builder.deduplicationWindow = value);
    }

    public EngineConfig withInboxRetention(Duration value) {
        return with(builder -> builder.inboxRetention = value);
    }

    public EngineConfig withMaxPayloadBytes(int value) {
        return with(builder -> builder.maxPayloadBytes = value);
    }

    public EngineConfig withStopTimeout(Duration value) {
        return with(builder -> builder.stopTimeout = value);
    }

    public EngineConfig withRetention(Retention value) {
        return with(builder -> builder.retention = value);
    }

    /** Sets what differs for one queue. */
    public EngineConfig withQueue(String queue, QueueConfig value) {
        Map<String, QueueConfig> more = new HashMap<>(queues);
        more.put(QueueNames.check(queue), Objects.requireNonNull(value, "the settings of queue '" + queue + "'"));
        return with(builder -> builder.queues = more);
    }

    /** Sets what holds for queues that have no settings of their own. */
    public EngineConfig withQueueDefaults(QueueConfig value) {
        return with(builder -> builder.queueDefaults = value);
    }

    /** The same with the defaults written out for these queues, where they have no settings of their own. */
    public EngineConfig withDefaultsFor(Iterable<String> names) {
        Map<String, QueueConfig> more = new HashMap<>(queues);
        names.forEach(name -> more.putIfAbsent(name, queueDefaults));
        return queueDefaults.equals(QueueConfig.defaults()) ? this : with(builder -> builder.queues = more);
    }

    private EngineConfig with(Consumer<Builder> change) {
        Builder builder = new Builder(this);
        change.accept(builder);
        return builder.config();
    }

    /** How long dead letters of a queue are kept; null for ever. */
    @Nullable
    public Duration deadLetterRetention(String queue) {
        Duration own = queue(queue).retention().deadLetters();
        return own == null ? retention.deadLetters() : own;
    }

    /** The settings of a queue: its own, else the defaults. */
    public QueueConfig queue(String name) {
        return queues.getOrDefault(name, queueDefaults);
    }

    private static boolean isWithin(@Nullable Duration value, Duration least, Duration most) {
        return value != null && value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw QueueMisuseException.withAction(
                    "engine: " + message,
                    "give it a value within these limits, or leave it out: then it has its default");
        }
    }

    /** The settings while one of them changes. */
    private static final class Builder {
        private Duration heartbeatInterval;
        private int missedHeartbeatsLimit;
        private int maxCrashes;
        private Duration pollMinInterval;
        private Duration pollMaxInterval;
        private Duration deduplicationWindow;
        private Duration inboxRetention;
        private int maxPayloadBytes;
        private Duration stopTimeout;
        private Retention retention;
        private Map<String, QueueConfig> queues;
        private QueueConfig queueDefaults;

        Builder(EngineConfig from) {
            heartbeatInterval = from.heartbeatInterval;
            missedHeartbeatsLimit = from.missedHeartbeatsLimit;
            maxCrashes = from.maxCrashes;
            pollMinInterval = from.pollMinInterval;
            pollMaxInterval = from.pollMaxInterval;
            deduplicationWindow = from.deduplicationWindow;
            inboxRetention = from.inboxRetention;
            maxPayloadBytes = from.maxPayloadBytes;
            stopTimeout = from.stopTimeout;
            retention = from.retention;
            queues = from.queues;
            queueDefaults = from.queueDefaults;
        }

        EngineConfig config() {
            return new EngineConfig(
                    heartbeatInterval,
                    missedHeartbeatsLimit,
                    maxCrashes,
                    pollMinInterval,
                    pollMaxInterval,
                    deduplicationWindow,
                    inboxRetention,
                    maxPayloadBytes,
                    stopTimeout,
                    retention,
                    queues,
                    queueDefaults);
        }
    }
}
