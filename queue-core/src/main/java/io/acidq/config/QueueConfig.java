package io.acidq.config;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.acidq.DeadHeadPolicy;
import io.acidq.InputChecks;
import io.acidq.OnDuplicate;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.store.ClaimStrategy;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue, apart from those of its listener. Immutable. Values are checked when they are set.
 *
 * @param deduplicationWindow how long a message key of the queue stays taken, see {@link EngineConfig#deduplicationWindow}; null for the setting of the
 *                            engine. Too short: a late repetition becomes a second message; too long: a larger table of keys. 0 to 36500 days
 * @param onDuplicate         what an enqueue does when its key is taken and its options do not say; null for ignore
 * @param onDeadHead          what happens to an ordering key whose first message becomes a dead letter. The setting is stored in the database for all
 *                            nodes: an engine that has it writes it when it starts, and the last start wins. Null: the stored setting, which is
 *                            {@link DeadHeadPolicy#SKIP} for a new queue
 * @param claimStrategy       how the listener of this engine claims messages; null: {@link ClaimStrategy#LANES}, or the best strategy that the server
 *                            supports. With any other than LANES this engine refuses to enqueue messages with an ordering key, and does not claim existing
 *                            ones. Nodes may have different strategies
 * @param alarm               when the backlog raises an alarm
 * @param retention           how long dead letters and done messages are kept
 * @param directHandoff       whether an enqueue of this engine may claim its message for a free worker of this engine. The message starts sooner and
 *                            costs less. It does not reach another node while this one has free workers, and waits until this node is declared dead
 *                            if this node crashes at once. Default false
 * @param priority            the priority of messages whose options have none; null for {@link Priority#NORMAL}. With another one, messages with an
 *                            ordering key must set NORMAL
 * @param expiresAfter        how long after its due time a message may be started that is enqueued without an expiry; null, the default, for any time. Set by the
 *                            engine that enqueues. 1 ms to 1000 years
 * @param onExpiry            what this engine does with a message of the queue that has expired before it could start it. Default {@link
 *                            ExpiryAction#DROP}
 */
public record QueueConfig(
        @Nullable Duration deduplicationWindow,
        @Nullable OnDuplicate onDuplicate,
        @Nullable DeadHeadPolicy onDeadHead,
        @Nullable ClaimStrategy claimStrategy,
        Alarm alarm,
        QueueRetention retention,
        boolean directHandoff,
        @Nullable Priority priority,
        @Nullable Duration expiresAfter,
        ExpiryAction onExpiry) {

    private static final QueueConfig DEFAULTS = new QueueConfig(
            null,
            null,
            null,
            null,
            new Alarm(null, null),
            new QueueRetention(null, null),
            false,
            null,
            null,
            ExpiryAction.DROP);

    public QueueConfig {
        require(
                deduplicationWindow == null || isWithin(deduplicationWindow, Duration.ZERO, EngineConfig.MAX_WINDOW),
                "deduplicationWindow must be 0 to 36500 days, was " + deduplicationWindow);
        if (expiresAfter != null) {
            InputChecks.checkTimeToLive(expiresAfter);
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
        if (needsOrder && priority != null && priority != Priority.NORMAL) {
            throw new QueueMisuseException("priority " + priority + " is for messages without an ordering key, and "
                    + (onDuplicate != null && onDuplicate.replaces()
                            ? "onDuplicate " + onDuplicate.action()
                            : "onDeadHead " + onDeadHead)
                    + " is for messages with one: leave out one of the two");
        }
    }

    public static QueueConfig defaults() {
        return DEFAULTS;
    }

    public QueueConfig withDeduplicationWindow(Duration value) {
        return with(values -> values.deduplicationWindow = value);
    }

    public QueueConfig withOnDuplicate(OnDuplicate value) {
        return with(values -> values.onDuplicate = value);
    }

    public QueueConfig withOnDeadHead(DeadHeadPolicy value) {
        return with(values -> values.onDeadHead = value);
    }

    public QueueConfig withClaimStrategy(ClaimStrategy value) {
        return with(values -> values.claimStrategy = value);
    }

    /** Sets whether an enqueue may claim its message for a free worker of its own process. */
    public QueueConfig withDirectHandoff(boolean value) {
        return with(values -> values.directHandoff = value);
    }

    /** Sets the priority of messages whose options have none. */
    public QueueConfig withPriority(Priority value) {
        return with(values -> values.priority = value);
    }

    /** Sets how long after its due time a message may be started that is enqueued without an expiry. */
    public QueueConfig withExpiresAfter(Duration value) {
        return with(values -> values.expiresAfter = value);
    }

    /** Sets what happens to a message that has expired before it was started. */
    public QueueConfig withOnExpiry(ExpiryAction value) {
        return with(values -> values.onExpiry = value);
    }

    /** Sets above how many unclaimed messages an alarm is raised. */
    public QueueConfig withBacklogAlarm(int value) {
        return with(new Alarm(value, alarm.age()));
    }

    /** Sets from which age of an unclaimed message on an alarm is raised. */
    public QueueConfig withAgeAlarm(Duration value) {
        return with(new Alarm(alarm.backlog(), value));
    }

    /** Sets how long dead letters of the queue are kept. */
    public QueueConfig withDeadLetterRetention(Duration value) {
        return with(new QueueRetention(value, retention.archive()));
    }

    /** Sets how long done messages of the queue are kept in the archive. */
    public QueueConfig withArchiveRetention(Duration value) {
        return with(new QueueRetention(retention.deadLetters(), value));
    }

    private QueueConfig with(Alarm value) {
        return with(values -> values.alarm = value);
    }

    private QueueConfig with(QueueRetention value) {
        return with(values -> values.retention = value);
    }

    private QueueConfig with(Consumer<Values> change) {
        Values values = new Values(this);
        change.accept(values);
        return values.toConfig();
    }

    /** The values of a configuration, to be changed. */
    private static final class Values {

        private @Nullable Duration deduplicationWindow;
        private @Nullable OnDuplicate onDuplicate;
        private @Nullable DeadHeadPolicy onDeadHead;
        private @Nullable ClaimStrategy claimStrategy;
        private Alarm alarm;
        private QueueRetention retention;
        private boolean directHandoff;
        private @Nullable Priority priority;
        private @Nullable Duration expiresAfter;
        private ExpiryAction onExpiry;

        Values(QueueConfig config) {
            this.deduplicationWindow = config.deduplicationWindow;
            this.onDuplicate = config.onDuplicate;
            this.onDeadHead = config.onDeadHead;
            this.claimStrategy = config.claimStrategy;
            this.alarm = config.alarm;
            this.retention = config.retention;
            this.directHandoff = config.directHandoff;
            this.priority = config.priority;
            this.expiresAfter = config.expiresAfter;
            this.onExpiry = config.onExpiry;
        }

        QueueConfig toConfig() {
            return new QueueConfig(
                    deduplicationWindow,
                    onDuplicate,
                    onDeadHead,
                    claimStrategy,
                    alarm,
                    retention,
                    directHandoff,
                    priority,
                    expiresAfter,
                    onExpiry);
        }
    }

    /** The end of a message that has expired before it was started. */
    public enum ExpiryAction {

        /** The message is removed without a dead letter, as one whose handler returned {@link io.acidq.Outcome#cancel}. */
        DROP,

        /** The message becomes a dead letter. A replay after its expiry runs it. */
        DEAD
    }

    /**
     * When the backlog of the queue raises {@link Telemetry#backlogHigh}.
     *
     * @param backlog the number of unclaimed messages above which the alarm is raised; null for none. Too low: each burst raises an alarm; too high: it
     *                comes late. Each check reads an index entry for each message up to this number. 1 to 1,000,000
     * @param age     how long after its first due time an unclaimed message raises the alarm; null for none. Too short: retries raise an alarm; too
     *                long: it comes late. 1 s to 365 days
     */
    public record Alarm(@Nullable Integer backlog, @Nullable Duration age) {

        private static final int MAX_COUNTED = 1_000_000;

        public Alarm {
            require(
                    backlog == null || (backlog >= 1 && backlog <= MAX_COUNTED),
                    "alarm.backlog must be 1 to 1,000,000 messages, was " + backlog);
            require(
                    age == null || isWithin(age, Duration.ofSeconds(1), Duration.ofDays(365)),
                    "alarm.age must be 1 s to 365 days, was " + age);
        }

        public boolean isSet() {
            return backlog != null || age != null;
        }
    }

    /**
     * How long dead letters and done messages of the queue are kept.
     *
     * @param deadLetters how long dead letters are kept, see {@link Retention#deadLetters}; null for the setting of the engine
     * @param archive     how long done messages are kept, see {@link io.acidq.admin.Archive}; null, the default, for not at all. The engine that runs a
     *                    message writes one row in the transaction of its acknowledgement, which costs about a third of the throughput. Too short: done
     *                    messages cannot be found; too long: a larger table. 1 hour to 36500 days
     */
    public record QueueRetention(
            @Nullable Duration deadLetters, @Nullable Duration archive) {

        public QueueRetention {
            Retention.check("deadLetters", deadLetters);
            Retention.check("archive", archive);
        }
    }
}
