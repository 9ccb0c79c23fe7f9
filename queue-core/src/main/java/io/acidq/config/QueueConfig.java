package io.acidq.config;

import io.acidq.DeadHeadPolicy;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimStrategy;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue that concern more than its listener. Immutable; checked at once.
 *
 * @param deduplicationWindow   how long a message key of the queue stays taken, see {@link EngineConfig#deduplicationWindow}; null: as the engine says. Too
 *                    short: a late repetition becomes a second message; too long: a larger table of keys. 0 to 36500 days
 * @param onDuplicate what an enqueue with a key does when the key is taken, where its options say nothing; null: ignore
 * @param onDeadHead what becomes of an ordering key whose first message dies. It is the queue's for all nodes: an engine that has it set
 *                    writes it at its start, the last start wins; null: as it stands, which is {@link DeadHeadPolicy#SKIP} when nobody has set it
 * @param claimStrategy how this engine's listener claims; null: {@link ClaimStrategy#LANES}, or what the server turns out to be able to do. With
 *                    any other the queue takes no messages with an ordering key: this engine refuses them at enqueue, and leaves those
 *                    alone that are there. Nodes may differ in it
 * @param alarm       when its backlog is an alarm
 * @param retention        how long what is over is kept
 * @param directHandoff      whether this engine's enqueues may claim a message for a free worker of its own listener: it begins sooner and costs less, but
 *                    never reaches another node as long as this one has workers free, and waits for the rescue when this one dies at once. Default false
 */
public record QueueConfig(
        @Nullable Duration deduplicationWindow,
        @Nullable OnDuplicate onDuplicate,
        @Nullable DeadHeadPolicy onDeadHead,
        @Nullable ClaimStrategy claimStrategy,
        Alarm alarm,
        QueueRetention retention,
        boolean directHandoff) {

    private static final QueueConfig DEFAULTS =
            new QueueConfig(null, null, null, null, new Alarm(null, null), new QueueRetention(null, null), false);

    public QueueConfig {
        if (deduplicationWindow != null
                && (deduplicationWindow.isNegative() || deduplicationWindow.compareTo(EngineConfig.MAX_WINDOW) > 0)) {
            throw new QueueMisuseException("deduplicationWindow must be 0 to 36500 days, was " + deduplicationWindow);
        }
        boolean needsOrder = (onDuplicate != null && onDuplicate.replaces())
                || (onDeadHead != null && onDeadHead != DeadHeadPolicy.SKIP);
        if (needsOrder && claimStrategy != null && !claimStrategy.keepsOrder()) {
            throw new QueueMisuseException("claimStrategy " + claimStrategy + " takes no ordering keys, and "
                    + (onDuplicate != null && onDuplicate.replaces()
                            ? "onDuplicate " + onDuplicate.action()
                            : "onDeadHead " + onDeadHead)
                    + " needs them: set claimStrategy to LANES, or leave the other out");
        }
    }

    public static QueueConfig defaults() {
        return DEFAULTS;
    }

    public QueueConfig withDeduplicationWindow(Duration value) {
        return new QueueConfig(value, onDuplicate, onDeadHead, claimStrategy, alarm, retention, directHandoff);
    }

    public QueueConfig withOnDuplicate(OnDuplicate value) {
        return new QueueConfig(deduplicationWindow, value, onDeadHead, claimStrategy, alarm, retention, directHandoff);
    }

    public QueueConfig withOnDeadHead(DeadHeadPolicy value) {
        return new QueueConfig(deduplicationWindow, onDuplicate, value, claimStrategy, alarm, retention, directHandoff);
    }

    public QueueConfig withClaimStrategy(ClaimStrategy value) {
        return new QueueConfig(deduplicationWindow, onDuplicate, onDeadHead, value, alarm, retention, directHandoff);
    }

    /** Sets whether an enqueue may claim its message for a free worker of its own process. */
    public QueueConfig withDirectHandoff(boolean value) {
        return new QueueConfig(deduplicationWindow, onDuplicate, onDeadHead, claimStrategy, alarm, retention, value);
    }

    /** Sets how many unclaimed messages are an alarm. */
    public QueueConfig withBacklogAlarm(int value) {
        return with(new Alarm(value, alarm.age()));
    }

    /** Sets how old the oldest unclaimed message is when it is an alarm. */
    public QueueConfig withAgeAlarm(Duration value) {
        return with(new Alarm(alarm.backlog(), value));
    }

    /** Sets how long dead letters of the queue are kept. */
    public QueueConfig withDeadLetterRetention(Duration value) {
        return with(new QueueRetention(value, retention.archive()));
    }

    /** Keeps the messages of the queue for so long when they are done. */
    public QueueConfig withArchiveRetention(Duration value) {
        return with(new QueueRetention(retention.deadLetters(), value));
    }

    private QueueConfig with(Alarm value) {
        return new QueueConfig(
                deduplicationWindow, onDuplicate, onDeadHead, claimStrategy, value, retention, directHandoff);
    }

    private QueueConfig with(QueueRetention value) {
        return new QueueConfig(
                deduplicationWindow, onDuplicate, onDeadHead, claimStrategy, alarm, value, directHandoff);
    }

    /**
     * When the backlog of the queue raises {@link Telemetry#backlogHigh}.
     *
     * @param backlog more unclaimed messages than this; null for none. Too low: each burst is an alarm; too high: it comes late. Each look
     *                reads an entry for each message up to there. 1 to 1,000,000
     * @param age     a message that is unclaimed so long after its first due time; null for none. Too short: retries are an alarm; too long:
     *                it comes late. 1 s to 365 days
     */
    public record Alarm(@Nullable Integer backlog, @Nullable Duration age) {

        private static final int MOST_COUNTED = 1_000_000;

        public Alarm {
            if (backlog != null && (backlog < 1 || backlog > MOST_COUNTED)) {
                throw new QueueMisuseException("alarm.backlog must be 1 to 1,000,000 messages, was " + backlog);
            }
            if (age != null && (age.compareTo(Duration.ofSeconds(1)) < 0 || age.compareTo(Duration.ofDays(365)) > 0)) {
                throw new QueueMisuseException("alarm.age must be 1 s to 365 days, was " + age);
            }
        }

        public boolean isSet() {
            return backlog != null || age != null;
        }
    }

    /**
     * How long the queue keeps what is over.
     *
     * @param deadLetters how long its dead letters are kept, see {@link Retention#deadLetters}; null: as the engine says
     * @param archive     how long its messages are kept when they are done, see {@link io.acidq.admin.Archive}; null, the default: not at all. The
     *                    engines that listen to the queue write it, one row for each message in the transaction of its end, which costs about a
     *                    third of the throughput. Too short: nobody can see any more what was done; too long: a larger table. 1 hour to 36500
     *                    days
     */
    public record QueueRetention(
            @Nullable Duration deadLetters, @Nullable Duration archive) {

        public QueueRetention {
            Retention.check("deadLetters", deadLetters);
            Retention.check("archive", archive);
        }
    }
}
