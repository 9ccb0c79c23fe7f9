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
 * @param beat            how often the node says that it lives. Too short: needless writes; too long: slow rescue of what a
 *                        dead node held. Nothing is started when no beat succeeded for three of these. 50 ms to 1 hour. Default 3 s
 * @param silentBeats     how many looks in a row must see no new beat before a node is declared dead. Too few: a pause of a
 *                        living node makes its work run again (its effects are fenced off, the work is wasted). At least 4.
 *                        Default 6
 * @param maxDeaths       how many processes a message may take down before it is a dead letter. Too low: deployments that kill
 *                        processes make dead letters of innocents; too high: a poisonous message kills as often. Default 3
 * @param pollMin         the shortest wait between two looks into a queue that had work a moment ago. At least 1 ms. Default 5 ms
 * @param pollMax         the longest wait between two looks into an idle queue: the usual worst latency of a message that another
 *                        process enqueued. Too short: idle load; too long: latency. pollMin to 1 day. Default 250 ms
 * @param keyWindow       how long a message key stays taken, counted from the due time, and never ending before the message
 *                        does. Default 7 days
 * @param inboxWindow     how long {@link io.acidq.Inbox} recognizes a repetition, counted from the call that ran the work, where the caller
 *                        sets no other. Too short: a late repetition is done again; too long: a larger table. Default 7 days
 * @param maxPayloadBytes larger payloads are refused at enqueue. Default 1 MiB
 * @param stopTimeout     how long a stop waits for running handlers before it interrupts them. 0 to 1 day. Default 25 s
 * @param retention       how long is kept what nobody needs any more for the work itself
 * @param queues          what differs for single queues, by name; nothing of {@code queueDefaults} holds for these
 * @param queueDefaults   the settings of all other queues. Alarms and {@link QueueConfig#onHeadDeath} of it are for those that a listener of
 *                        the engine serves
 */
public record EngineConfig(
        Duration beat,
        int silentBeats,
        int maxDeaths,
        Duration pollMin,
        Duration pollMax,
        Duration keyWindow,
        Duration inboxWindow,
        int maxPayloadBytes,
        Duration stopTimeout,
        Retention retention,
        Map<String, QueueConfig> queues,
        QueueConfig queueDefaults) {

    static final Duration LONGEST_WINDOW = Retention.LONGEST;

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
                isWithin(beat, Duration.ofMillis(50), Duration.ofHours(1)),
                "beat (acidq.beat) must be 50 ms to 1 hour, was " + beat);
        require(silentBeats >= 4, "silentBeats (acidq.silent-beats) must be at least 4, was " + silentBeats);
        require(maxDeaths >= 1, "maxDeaths (acidq.max-deaths) must be at least 1, was " + maxDeaths);
        require(
                isWithin(pollMin, Duration.ofMillis(1), ONE_DAY),
                "pollMin (acidq.poll-min) must be 1 ms to 1 day, was " + pollMin);
        require(
                isWithin(pollMax, pollMin, ONE_DAY),
                "pollMax (acidq.poll-max) must be pollMin (" + pollMin + ") to 1 day, was " + pollMax);
        require(
                isWithin(keyWindow, Duration.ZERO, LONGEST_WINDOW),
                "keyWindow (acidq.key-window) must be 0 to 36500 days, was " + keyWindow);
        InboxLimits.checkWindow(inboxWindow);
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
    public EngineConfig withLiveness(Duration everyBeat, int silent) {
        return with(draft -> {
            draft.beat = everyBeat;
            draft.silentBeats = silent;
        });
    }

    public EngineConfig withMaxDeaths(int value) {
        return with(draft -> draft.maxDeaths = value);
    }

    public EngineConfig withPolling(Duration min, Duration max) {
        return with(draft -> {
            draft.pollMin = min;
            draft.pollMax = max;
        });
    }

    public EngineConfig withKeyWindow(Duration value) {
        return with(draft -> draft.keyWindow = value);
    }

    public EngineConfig withInboxWindow(Duration value) {
        return with(draft -> draft.inboxWindow = value);
    }

    public EngineConfig withMaxPayloadBytes(int value) {
        return with(draft -> draft.maxPayloadBytes = value);
    }

    public EngineConfig withStopTimeout(Duration value) {
        return with(draft -> draft.stopTimeout = value);
    }

    public EngineConfig withRetention(Retention value) {
        return with(draft -> draft.retention = value);
    }

    /** Sets what differs for one queue. */
    public EngineConfig withQueue(String queue, QueueConfig value) {
        Map<String, QueueConfig> more = new HashMap<>(queues);
        more.put(QueueNames.check(queue), Objects.requireNonNull(value, "the settings of queue '" + queue + "'"));
        return with(draft -> draft.queues = more);
    }

    /** Sets what holds for queues that have no settings of their own. */
    public EngineConfig withQueueDefaults(QueueConfig value) {
        return with(draft -> draft.queueDefaults = value);
    }

    /** The same with the defaults written out for these queues, where they have no settings of their own. */
    public EngineConfig withDefaultsFor(Iterable<String> names) {
        Map<String, QueueConfig> more = new HashMap<>(queues);
        names.forEach(name -> more.putIfAbsent(name, queueDefaults));
        return queueDefaults.equals(QueueConfig.defaults()) ? this : with(draft -> draft.queues = more);
    }

    private EngineConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.config();
    }

    /** How long dead letters of a queue are kept; null for ever. */
    @Nullable
    public Duration deadLetters(String queue) {
        Duration own = queue(queue).kept().deadLetters();
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
    private static final class Draft {
        private Duration beat;
        private int silentBeats;
        private int maxDeaths;
        private Duration pollMin;
        private Duration pollMax;
        private Duration keyWindow;
        private Duration inboxWindow;
        private int maxPayloadBytes;
        private Duration stopTimeout;
        private Retention retention;
        private Map<String, QueueConfig> queues;
        private QueueConfig queueDefaults;

        Draft(EngineConfig from) {
            beat = from.beat;
            silentBeats = from.silentBeats;
            maxDeaths = from.maxDeaths;
            pollMin = from.pollMin;
            pollMax = from.pollMax;
            keyWindow = from.keyWindow;
            inboxWindow = from.inboxWindow;
            maxPayloadBytes = from.maxPayloadBytes;
            stopTimeout = from.stopTimeout;
            retention = from.retention;
            queues = from.queues;
            queueDefaults = from.queueDefaults;
        }

        EngineConfig config() {
            return new EngineConfig(
                    beat,
                    silentBeats,
                    maxDeaths,
                    pollMin,
                    pollMax,
                    keyWindow,
                    inboxWindow,
                    maxPayloadBytes,
                    stopTimeout,
                    retention,
                    queues,
                    queueDefaults);
        }
    }
}
