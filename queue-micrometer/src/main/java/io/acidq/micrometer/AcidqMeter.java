package io.acidq.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meters of an engine. Each has, besides the tags given here, the tag {@code engine}: several engines of a process differ by it. No tag has more
 * values than there are queues.
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
            "Messages whose key was taken, counted at the call, by what was done: duplicate, throttled, replaced, debounced, successor, rejected",
            "queue",
            "result"),
    CLAIM("acidq.claim", Meter.Type.TIMER, "Claims that brought messages: how many, and how long each took", "queue"),
    CLAIM_MESSAGES(
            "acidq.claim.messages",
            Meter.Type.DISTRIBUTION_SUMMARY,
            "Messages per claim; their sum is what was claimed",
            "queue"),
    LAG(
            "acidq.lag",
            Meter.Type.TIMER,
            "From the due time to the start of the handler; compares the database's clock with this host's",
            "queue"),
    HANDLER(
            "acidq.handler",
            Meter.Type.TIMER,
            "Runs whose outcome is in the database, by outcome: done, retry, snooze, cancelled, dead; of several messages in one transaction each has its share of the time",
            "queue",
            "outcome"),
    REQUEUED(
            "acidq.requeued",
            Meter.Type.COUNTER,
            "Runs that ended for no fault of the message (deadlock, lost connection, stop)",
            "queue"),
    FENCED(
            "acidq.fenced",
            Meter.Type.COUNTER,
            "Acknowledgements that hit nothing: the claim had been lost, the transaction was rolled back",
            "queue"),
    BATCH_SPLITS(
            "acidq.batch.splits",
            Meter.Type.COUNTER,
            "Transactions of several messages that were lost as a whole",
            "queue"),
    SUSPECTED(
            "acidq.suspected",
            Meter.Type.COUNTER,
            "Ends of processes that were counted against a message, by the engine that freed it",
            "queue"),
    QUARANTINED(
            "acidq.quarantined",
            Meter.Type.COUNTER,
            "Messages that have taken down as many processes as they may: dead letters that acidq.handler does not count",
            "queue"),
    RELEASED(
            "acidq.released",
            Meter.Type.COUNTER,
            "Ordering keys that an operator let go on, through this engine",
            "queue"),
    REPLAYED(
            "acidq.replayed",
            Meter.Type.COUNTER,
            "Dead letters that an operator had replayed, through this engine",
            "queue"),
    DISCARDED(
            "acidq.discarded",
            Meter.Type.COUNTER,
            "Dead letters that an operator had discarded, through this engine",
            "queue"),
    RESCUED("acidq.rescued", Meter.Type.COUNTER, "Claims of dead nodes that this engine freed"),
    RECONCILED("acidq.reconciled", Meter.Type.COUNTER, "Own claims that nothing in this engine knew of, given back"),
    NODES_DECLARED_DEAD(
            "acidq.nodes.declared.dead",
            Meter.Type.COUNTER,
            "Nodes declared dead: others by this engine, or this one by another",
            "node"),
    TASK_FAILURES("acidq.task.failures", Meter.Type.COUNTER, "How often a task of the engine began to fail", "task"),
    WORKERS("acidq.workers", Meter.Type.GAUGE, "Workers of the queue in this engine", "queue"),
    RUNNING("acidq.running", Meter.Type.GAUGE, "Messages that run in this engine", "queue"),
    CLAIMED("acidq.claimed", Meter.Type.GAUGE, "Messages that this engine has claimed and not started", "queue"),
    SUSPECT(
            "acidq.suspect",
            Meter.Type.GAUGE,
            "1 while a suspect message of the queue runs or waits in this engine",
            "queue"),
    GUARD_STOPS(
            "acidq.guard.stops",
            Meter.Type.GAUGE,
            "1 while a guard of the queue stops starts in this engine",
            "queue",
            "guard"),
    PAUSED("acidq.paused", Meter.Type.GAUGE, "1 while the queue is paused, by the database's word", "queue"),
    BACKLOG(
            "acidq.backlog",
            Meter.Type.GAUGE,
            "Messages in the database by state: ready, running, waiting, scheduled, dead; see acidq.backlog.complete",
            "queue",
            "state"),
    COMPLETE(
            "acidq.backlog.complete",
            Meter.Type.GAUGE,
            "1 when acidq.backlog is exact; 0 when counting ended, and there are at least so many",
            "queue"),
    OLDEST(
            "acidq.oldest",
            Meter.Type.GAUGE,
            "How long ago the oldest unclaimed message was first due, by the database's clock; 0 when there is none",
            "queue"),
    BLOCKED_KEYS(
            "acidq.blocked.keys",
            Meter.Type.GAUGE,
            "Ordering keys that a dead letter holds up; counted up to 1,000",
            "queue"),
    DATABASE(
            "acidq.database",
            Meter.Type.GAUGE,
            "1 for the state in which the engine finds its database, 0 for the others",
            "state");

    private final String meterName;
    private final Meter.Type type;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> tags;

    AcidqMeter(String meterName, Meter.Type type, String description, String... tags) {
        this.meterName = meterName;
        this.type = type;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** As the registry has it, such as {@code acidq.enqueued}. */
    public String meterName() {
        return meterName;
    }

    public Meter.Type type() {
        return type;
    }

    public String description() {
        return description;
    }

    /** Its tags besides {@code engine}. */
    public List<String> tags() {
        return tags;
    }

    /** Of what is measured; null for a number of things. */
    public @Nullable String unit() {
        return this == OLDEST ? "seconds" : null;
    }
}
