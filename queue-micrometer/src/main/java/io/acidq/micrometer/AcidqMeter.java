package io.acidq.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meters of an engine. In addition to its {@link #tags()}, each meter has the tag {@code engine}, which differs between the engines of a
 * process. No tag has more values than there are queues.
 */
public enum AcidqMeter {
    ENQUEUED(
            "acidq.enqueued",
            Meter.Type.COUNTER,
            "Messages added, counted when their transaction has committed",
            "queue"),
    DUPLICATES(
            "acidq.duplicates",
            Meter.Type.COUNTER,
            "Messages whose key was taken, counted at the call, by result: duplicate, throttled, replaced, debounced, successor, rejected",
            "queue",
            "result"),
    CLAIM("acidq.claim", Meter.Type.TIMER, "Claims that returned messages: their number and duration", "queue"),
    CLAIM_MESSAGES(
            "acidq.claim.messages",
            Meter.Type.DISTRIBUTION_SUMMARY,
            "Messages per claim; the sum is the number of claimed messages",
            "queue"),
    LAG(
            "acidq.lag",
            Meter.Type.TIMER,
            "Time from the due time to the start of the handler; compares the database's clock with this host's",
            "queue"),
    HANDLER(
            "acidq.handler",
            Meter.Type.TIMER,
            "Runs whose outcome is recorded in the database, by outcome: done, retry, snooze, cancelled, dead; the time of a transaction is divided among its messages",
            "queue",
            "outcome"),
    REQUEUED(
            "acidq.requeued",
            Meter.Type.COUNTER,
            "Runs that failed through no fault of the message (deadlock, lost connection, stop)",
            "queue"),
    EXPIRED(
            "acidq.expired",
            Meter.Type.COUNTER,
            "Messages that expired before they were started, or were snoozed beyond their expiry",
            "queue"),
    PUBLISHED_UNSUBSCRIBED(
            "acidq.published.unsubscribed",
            Meter.Type.COUNTER,
            "Messages that were published to a topic without subscriptions, and are stored nowhere",
            "topic"),
    TICKS(
            "acidq.ticks",
            Meter.Type.COUNTER,
            "Entries in the history of recurring messages that this engine has written, by result: enqueued, skipped, overlapped, triggered, unsubscribed",
            "result"),
    TICK_LAG(
            "acidq.tick.lag",
            Meter.Type.TIMER,
            "Time from a tick to the enqueue of its message, by the database's clock; not for triggered ones"),
    FENCED(
            "acidq.fenced",
            Meter.Type.COUNTER,
            "Acknowledgements that found the claim lost; the transaction was rolled back",
            "queue"),
    BATCH_SPLITS(
            "acidq.batch.splits",
            Meter.Type.COUNTER,
            "Transactions of several messages that failed as a whole",
            "queue"),
    SUSPECTED(
            "acidq.suspected",
            Meter.Type.COUNTER,
            "Crashes of processes that were counted against a message, by the engine that rescued it",
            "queue"),
    QUARANTINED(
            "acidq.quarantined",
            Meter.Type.COUNTER,
            "Messages dead-lettered because they reached the limit of crashes; acidq.handler does not count them",
            "queue"),
    RELEASED(
            "acidq.released",
            Meter.Type.COUNTER,
            "Ordering keys that an operator released through this engine",
            "queue"),
    REPLAYED(
            "acidq.replayed",
            Meter.Type.COUNTER,
            "Dead letters that an operator replayed through this engine",
            "queue"),
    DISCARDED(
            "acidq.discarded",
            Meter.Type.COUNTER,
            "Dead letters that an operator discarded through this engine",
            "queue"),
    RESCUED("acidq.rescued", Meter.Type.COUNTER, "Claims of dead and stopped nodes that this engine freed"),
    RECONCILED(
            "acidq.reconciled",
            Meter.Type.COUNTER,
            "Claims of this engine that it did not know in memory, and requeued"),
    NODES_DECLARED_DEAD(
            "acidq.nodes.declared.dead",
            Meter.Type.COUNTER,
            "Nodes declared dead: others by this engine, or this one by another",
            "node"),
    TASK_FAILURES("acidq.task.failures", Meter.Type.COUNTER, "How often a task of the engine started to fail", "task"),
    WORKERS("acidq.workers", Meter.Type.GAUGE, "Workers of the queue in this engine", "queue"),
    RUNNING("acidq.running", Meter.Type.GAUGE, "Messages that run in this engine", "queue"),
    UNSTARTED("acidq.unstarted", Meter.Type.GAUGE, "Messages that this engine has claimed and not started", "queue"),
    SUSPECT(
            "acidq.suspect",
            Meter.Type.GAUGE,
            "1 while a suspect message of the queue runs or waits in this engine",
            "queue"),
    GUARD_STOPS(
            "acidq.guard.stops",
            Meter.Type.GAUGE,
            "1 while a guard of the queue prevents starts in this engine",
            "queue",
            "guard"),
    PAUSED("acidq.paused", Meter.Type.GAUGE, "1 while the queue is paused in the database", "queue"),
    BACKLOG(
            "acidq.backlog",
            Meter.Type.GAUGE,
            "Messages in the database by state: ready, running, waiting, scheduled, dead; see acidq.backlog.complete",
            "queue",
            "state"),
    COMPLETE(
            "acidq.backlog.complete",
            Meter.Type.GAUGE,
            "1 if acidq.backlog is exact; 0 if counting reached its limit, and the numbers are lower bounds",
            "queue"),
    OLDEST(
            "acidq.oldest",
            Meter.Type.GAUGE,
            "How long ago the oldest unclaimed message was first due, by the database's clock; 0 if there is none",
            "queue"),
    BLOCKED_KEYS(
            "acidq.blocked.keys",
            Meter.Type.GAUGE,
            "Ordering keys that a dead letter blocks; counted up to 1,000",
            "queue"),
    DATABASE(
            "acidq.database",
            Meter.Type.GAUGE,
            "1 for the current state of the database as the engine sees it, 0 for the others",
            "state");

    private final String meterName;
    private final Meter.Type type;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // created by List.of
    private final List<String> tags;

    AcidqMeter(String meterName, Meter.Type type, String description, String... tags) {
        this.meterName = meterName;
        this.type = type;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** Returns the name in the registry, such as {@code acidq.enqueued}. */
    public String meterName() {
        return meterName;
    }

    public Meter.Type type() {
        return type;
    }

    public String description() {
        return description;
    }

    /** Returns the names of the tags without {@code engine}. */
    public List<String> tags() {
        return tags;
    }

    /** Returns the base unit; null for a count. */
    public @Nullable String unit() {
        return this == OLDEST ? "seconds" : null;
    }
}
