package io.acidq.store;

import io.acidq.MessageId;
import io.acidq.Recurring;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.admin.RecurringMessages.TickResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables of recurring messages and of their ticks. Unless it says otherwise, a method runs in the transaction on the calling thread. */
public interface RecurringStore {

    /**
     * Returns the earliest tick of the recurring messages that are not paused; null when there is none. A plain read in a transaction of its own.
     *
     * @param except the names of those that are left out
     */
    @Nullable
    NextDue nextDue(Collection<String> except);

    /** Returns the names of recurring messages that are due, the earliest first. A plain read in a transaction of its own. */
    List<DueName> due(int limit);

    /** Locks those of these recurring messages that are due, not paused, and not locked by another transaction. */
    List<StoredRecurring> lockDue(Collection<String> names);

    /** Locks a recurring message; null when there is none. Waits for a transaction that has locked it. */
    @Nullable
    StoredRecurring lock(String name);

    /** Returns a recurring message as the transaction sees it; null when there is none. A plain read. */
    @Nullable
    StoredRecurring find(String name);

    /** Returns the time of the database's clock. */
    Instant now();

    /**
     * Adds a recurring message.
     *
     * @return false when there is one of this name
     */
    boolean insert(StoredRecurring row);

    /** Replaces everything but the pause and the previous message; false when there is none of this name. */
    boolean update(StoredRecurring row);

    /** Changes the pause; false when there is none of this name, or it is so already. */
    boolean setPaused(String name, boolean paused);

    /** Removes a recurring message; false when there is none of this name. */
    boolean remove(String name);

    /** Whether a message waits, is scheduled or runs. */
    boolean hasNotEnded(int queue, int lane, UUID uid);

    /** Records ticks. Fails when one of them is recorded already. */
    void insertTicks(List<TickRow> ticks);

    /** Sets the next ticks and the previous messages of recurring messages that this transaction has locked. */
    void advance(List<Advance> rows);

    /** Records what an operator has done. */
    void audit(int queue, String action, Operator operator, String detail);

    /** Returns recurring messages by their names, without payloads. */
    List<StoredRecurring> list(String prefix, int limit);

    /** Returns the latest ticks of a recurring message, newest first. */
    List<TickEntry> ticks(String name, int limit);

    /** Removes ticks that were recorded longer ago than this, in a short transaction of its own. */
    MaintenanceStore.Pruned pruneTicks(Duration age, int limit);

    /**
     * The earliest tick.
     *
     * @param at  when it is due
     * @param now the time of the read, by the database's clock
     */
    record NextDue(Instant at, Instant now) {}

    /**
     * A recurring message that is due.
     *
     * @param size the bytes of its payload
     */
    record DueName(String name, int size) {}

    /**
     * A row of the table.
     *
     * @param nextAt    the next tick; null when none is left
     * @param ttlMicros how long after its enqueue the message of a tick may be started; null for the default of its queue
     * @param spreadMicros  the window in which ticks come later than the schedule says, 0 for none
     * @param lastQueue the number of the queue of the message of the previous tick
     * @param lastLane  the lane of the message of the previous tick
     * @param lastUid   the message of the previous tick; null when there is none, or when nothing depends on its end
     * @param declared  a fingerprint of the definition that an engine has last declared; null when none has
     * @param type      the type of the payload; empty when the payload is the tick
     * @param now       the time of the read, by the database's clock
     */
    record StoredRecurring(
            String name,
            String destination,
            boolean toTopic,
            String schedule,
            String zone,
            String misfire,
            long graceMicros,
            boolean skipOverlap,
            @Nullable Long ttlMicros,
            long spreadMicros,
            boolean paused,
            int version,
            @Nullable Instant nextAt,
            int lastQueue,
            int lastLane,
            @Nullable UUID lastUid,
            @Nullable String declared,
            Instant changedAt,
            String orderingKey,
            String headers,
            String type,
            byte[] payload,
            Instant now) {

        /**
         * The row of a definition: not paused, and without a previous message.
         *
         * @param now the time of the change, by the database's clock
         */
        public static StoredRecurring of(
                Recurring message,
                String headers,
                String type,
                byte[] payload,
                @Nullable Instant nextAt,
                @Nullable String declared,
                Instant now) {
            return new StoredRecurring(
                    message.name(),
                    message.destination(),
                    message.topic(),
                    message.schedule().text(),
                    message.schedule().zone().map(Object::toString).orElse(""),
                    message.misfire().toString(),
                    micros(message.grace()),
                    message.overlap() == Recurring.Overlap.SKIP,
                    message.expiresAfter() == null ? null : micros(message.expiresAfter()),
                    micros(message.spread()),
                    false,
                    1,
                    nextAt,
                    0,
                    0,
                    null,
                    declared,
                    now,
                    message.orderingKey() == null ? "" : message.orderingKey(),
                    headers,
                    type,
                    payload,
                    now);
        }

        private static long micros(Duration time) {
            return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(time));
        }

        /** Returns how long after the instant of the schedule a tick is due. */
        public Duration spread() {
            return Recurring.spreadOf(name, Duration.of(spreadMicros, ChronoUnit.MICROS));
        }

        /** Returns the row with another schedule. */
        public StoredRecurring withSchedule(String newSchedule, String newZone, @Nullable Instant newNextAt) {
            return new StoredRecurring(
                    name,
                    destination,
                    toTopic,
                    newSchedule,
                    newZone,
                    misfire,
                    graceMicros,
                    skipOverlap,
                    ttlMicros,
                    spreadMicros,
                    paused,
                    version,
                    newNextAt,
                    lastQueue,
                    lastLane,
                    lastUid,
                    declared,
                    changedAt,
                    orderingKey,
                    headers,
                    type,
                    payload,
                    now);
        }
    }

    /**
     * A tick to record.
     *
     * @param uid its message; null when none was enqueued, or when it was published to a topic
     */
    record TickRow(
            String name,
            Instant tickAt,
            TickResult result,
            int missed,
            @Nullable UUID uid) {}

    /**
     * The progress of a recurring message.
     *
     * @param nextAt its next tick; null when none is left
     * @param queue  the number of the queue of the message of its latest tick, 0 for none
     * @param lane   the lane of that message, 0 for none
     * @param uid    the unique number of that message; null for none
     */
    record Advance(
            String name,
            @Nullable Instant nextAt,
            int queue,
            int lane,
            @Nullable UUID uid) {

        /** Makes a message the latest one, or none. */
        public static Advance of(String name, @Nullable Instant nextAt, @Nullable MessageId last) {
            return last == null
                    ? new Advance(name, nextAt, 0, 0, null)
                    : new Advance(name, nextAt, QueueStore.numberOf(last.queue()), last.lane(), last.uid());
        }

        /** Keeps the latest message. */
        public static Advance same(StoredRecurring row, @Nullable Instant nextAt) {
            return new Advance(row.name(), nextAt, row.lastQueue(), row.lastLane(), row.lastUid());
        }
    }
}
