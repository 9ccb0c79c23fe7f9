package io.acidq.config;

import static io.acidq.InputChecks.isWithin;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine. Immutable. Values are checked when they are set; an invalid one is refused with {@link QueueMisuseException}.
 *
 * <pre>{@code
 * EngineConfig config = EngineConfig.defaults()
 *         .withMaxPayloadBytes(64 * 1024)
 *         .withQueue("orders", QueueConfig.defaults().withBacklogAlarm(10_000));
 * }</pre>
 *
 * @param heartbeatInterval     how often a node writes its heartbeat. Too short: needless writes; too long: claims of a dead node are freed late. A node
 *                              starts no message when no heartbeat succeeded for three intervals. 50 ms to 1 hour. Default 3 s
 * @param missedHeartbeatsLimit how many checks in a row must see no new heartbeat before a node is declared dead. Too low: a pause of a living node
 *                              makes its messages run again (its own effects are rolled back, the work is wasted). At least 4. Default 6
 * @param maxCrashes            how many processes may crash while they run a message before it becomes a dead letter. Too low: deployments that kill
 *                              processes dead-letter harmless messages; too high: a message that crashes its process does so as often. Default 3
 * @param pollMinInterval       the shortest wait between two polls of a queue that had messages a moment ago. At least 1 ms. Default 5 ms
 * @param pollMaxInterval       the longest wait between two polls of an idle queue: the usual worst latency of a message that another process
 *                              enqueued. Too short: load while idle; too long: latency. pollMinInterval to 1 day. Default 250 ms
 * @param deduplicationWindow   how long a message key stays taken, counted from the due time; it never ends before the message does. 0 to 36500 days.
 *                              Default 7 days
 * @param inboxRetention        how long {@link io.acidq.Inbox} recognizes a repetition, counted from the call that ran the work, where the caller sets no
 *                              other window. Too short: a late repetition is done again; too long: a larger table. 1 s to 36500 days. Default 7 days
 * @param maxPayloadBytes       the largest payload; a larger one is refused when it is enqueued. Default 1 MiB
 * @param unsubscribedTopics    what happens when a message is published to a topic that has no subscription, and so would be stored nowhere. Default WARN
 * @param stopTimeout           how long a stop waits for running handlers before it interrupts them. 0 to 1 day. Default 25 s
 * @param retention             how long audit entries, dead letters and rows of old nodes are kept
 * @param history               whether the history is written, and how long it is kept
 * @param queues                the settings of single queues, by name; {@code queueDefaults} does not apply to these
 * @param queueDefaults         the settings of all other queues. Its alarms and its {@link QueueConfig#onDeadHead} apply to queues that have a listener
 *                              in this engine
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
        UnsubscribedAction unsubscribedTopics,
        Duration stopTimeout,
        Retention retention,
        HistoryOptions history,
        Map<String, QueueConfig> queues,
        QueueConfig queueDefaults) {

    /** The reaction to a publish to a topic that has no subscription. */
    public enum UnsubscribedAction {
        /** The publish stores nothing. The engine warns once for each topic, and counts each. */
        WARN,
        /** The publish throws {@link QueueMisuseException}. */
        FAIL
    }

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
            UnsubscribedAction.WARN,
            Duration.ofSeconds(25),
            Retention.defaults(),
            HistoryOptions.defaults(),
            Map.of(),
            QueueConfig.defaults());

    public EngineConfig {
        require(
                isWithin(heartbeatInterval, Duration.ofMillis(50), Duration.ofHours(1)),
                "heartbeatInterval (acidq.heartbeat-interval) must be 50 ms to 1 hour, was " + heartbeatInterval);
        require(
                missedHeartbeatsLimit >= 4,
                "missedHeartbeatsLimit (acidq.missed-heartbeats-limit) must be at least 4, was "
                        + missedHeartbeatsLimit);
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
        InputChecks.checkInboxRetention(inboxRetention);
        require(
                maxPayloadBytes >= 1,
                "maxPayloadBytes (acidq.max-payload-size) must be at least 1 byte and below 2 GB, was "
                        + maxPayloadBytes);
        Objects.requireNonNull(unsubscribedTopics, "unsubscribedTopics");
        require(
                isWithin(stopTimeout, Duration.ZERO, ONE_DAY),
                "stopTimeout (acidq.stop-timeout) must be 0 to 1 day, was " + stopTimeout);
        Objects.requireNonNull(history, "history");
        queues.keySet().forEach(InputChecks::checkQueue);
        queues = Map.copyOf(queues);
    }

    /** The defaults. */
    public static EngineConfig defaults() {
        return DEFAULTS;
    }

    /** Sets how often heartbeats are written, and how many may be missed. */
    public EngineConfig withHeartbeat(Duration interval, int missedLimit) {
        return with(builder -> {
            builder.heartbeatInterval = interval;
            builder.missedHeartbeatsLimit = missedLimit;
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

    /** Sets what happens when a message is published to a topic that has no subscription. */
    public EngineConfig withUnsubscribedTopics(UnsubscribedAction value) {
        return with(builder -> builder.unsubscribedTopics = value);
    }

    public EngineConfig withStopTimeout(Duration value) {
        return with(builder -> builder.stopTimeout = value);
    }

    public EngineConfig withRetention(Retention value) {
        return with(builder -> builder.retention = value);
    }

    /** Sets whether the history is written, and how long it is kept. */
    public EngineConfig withHistory(HistoryOptions value) {
        return with(builder -> builder.history = value);
    }

    /** Sets the settings of one queue. */
    public EngineConfig withQueue(String queue, QueueConfig value) {
        Map<String, QueueConfig> more = new HashMap<>(queues);
        more.put(InputChecks.checkQueue(queue), Objects.requireNonNull(value, "the settings of queue '" + queue + "'"));
        return with(builder -> builder.queues = more);
    }

    /** Sets the settings of queues that have none of their own. */
    public EngineConfig withQueueDefaults(QueueConfig value) {
        return with(builder -> builder.queueDefaults = value);
    }

    /** Copies the queue defaults to each of these queues that has no settings of its own. */
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

    /** How long dead letters of a queue are kept; null for no limit. */
    @Nullable
    public Duration deadLetterRetention(String queue) {
        Duration own = queue(queue).retention().deadLetters();
        return own == null ? retention.deadLetters() : own;
    }

    /** The settings of a queue: its own, or else the defaults. */
    public QueueConfig queue(String name) {
        return queues.getOrDefault(name, queueDefaults);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw QueueMisuseException.withAction(
                    "engine: " + message, "set a value within these limits, or leave it out to use the default");
        }
    }

    /** A mutable copy, in which a method changes one setting. */
    private static final class Builder {
        private Duration heartbeatInterval;
        private int missedHeartbeatsLimit;
        private int maxCrashes;
        private Duration pollMinInterval;
        private Duration pollMaxInterval;
        private Duration deduplicationWindow;
        private Duration inboxRetention;
        private int maxPayloadBytes;
        private UnsubscribedAction unsubscribedTopics;
        private Duration stopTimeout;
        private Retention retention;
        private HistoryOptions history;
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
            unsubscribedTopics = from.unsubscribedTopics;
            stopTimeout = from.stopTimeout;
            retention = from.retention;
            history = from.history;
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
                    unsubscribedTopics,
                    stopTimeout,
                    retention,
                    history,
                    queues,
                    queueDefaults);
        }
    }
}
