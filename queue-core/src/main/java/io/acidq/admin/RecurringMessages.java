package io.acidq.admin;

import io.acidq.QueueMisuseException;
import io.acidq.Recurring;
import io.acidq.Recurring.Overlap;
import io.acidq.Schedule;
import io.acidq.TransientQueueException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The recurring messages. Every started engine enqueues the messages of their ticks, with or without listeners; the nodes share the work, and each
 * tick is enqueued by one of them. Thread-safe.
 *
 * <p>{@link #put} and {@link #remove(String)} are for applications: they run in the transaction on the calling thread. The actions of operators,
 * which take who acts and why, are short transactions of their own and are recorded in the {@link AuditLog}. Reads are transactions of their own too.
 * All methods throw {@link TransientQueueException} when the database could not do it now.
 */
public interface RecurringMessages {

    /** The most ticks that {@link #next} returns. */
    int MAX_NEXT = 1000;

    /**
     * Adds a recurring message, or changes the one of this name, in the transaction on the calling thread. Its first tick is the first one of the
     * schedule after now, by the database's clock. A change of the schedule counts from now. A change of the spread moves the next tick by the
     * difference; if that is in the past, the tick is late. Any other change leaves the next tick as it is. Does not resume a paused one.
     *
     * @throws QueueMisuseException                  when there is no transaction on this thread
     * @throws io.acidq.MessageRejectedException when the queue does not accept the payload, the ordering key or the headers
     */
    PutResult put(Recurring message);

    /**
     * Removes a recurring message in the transaction on the calling thread. Messages that it has enqueued stay, and so does its history.
     *
     * @return false when there is none of this name
     */
    boolean remove(String name);

    /**
     * Pauses a recurring message: its ticks enqueue nothing until it is resumed. The pause survives restarts and deployments.
     *
     * @param operator who does it, and why
     * @return whether this call paused it; false when it was paused already
     * @throws QueueMisuseException when there is none of this name
     */
    boolean pause(String name, Operator operator);

    /**
     * Resumes a recurring message. The ticks of the pause that are later than its grace are misfires.
     *
     * @return whether this call resumed it; false when it was not paused
     * @throws QueueMisuseException when there is none of this name
     */
    boolean resume(String name, Operator operator);

    /**
     * Changes the schedule of a recurring message, from now on. A restart of engines with the same declaration keeps the change. The next {@link #put}
     * overrules it, also one of the same definition as before, and so does an engine whose declaration differs from the last declared one.
     *
     * @return whether it was changed; false when it has this schedule already
     * @throws QueueMisuseException when there is none of this name
     */
    boolean reschedule(String name, Schedule schedule, Operator operator);

    /**
     * Enqueues one message now, as a tick would, also when the recurring message is paused. Its next tick stays as it is, unless it has a fixed delay.
     *
     * @return whether a message was enqueued; false when the previous one has not ended and this one must not overlap, or when no subscription of the topic takes it
     * @throws QueueMisuseException when there is none of this name
     */
    boolean trigger(String name, Operator operator);

    /**
     * Removes a recurring message. A start of an engine that declares it adds it again.
     *
     * @return false when there is none of this name
     */
    boolean remove(String name, Operator operator);

    /** Returns the recurring message of a name. */
    Optional<RecurringInfo> find(String name);

    /**
     * Returns recurring messages by their names.
     *
     * @param prefix what the names begin with; empty for all
     * @param limit  the maximum number, 1 to 10,000
     */
    List<RecurringInfo> list(String prefix, int limit);

    /**
     * Returns the next ticks of a recurring message, as if it were not paused; of one with a fixed delay at most one, and none while its message has not ended.
     *
     * @param count the maximum number, 1 to 1000
     * @throws QueueMisuseException when there is none of this name
     */
    List<Instant> next(String name, int count);

    /**
     * Returns the latest ticks of a recurring message, newest first, also of one that was removed.
     *
     * @param limit the maximum number, 1 to 10,000
     */
    List<TickEntry> ticks(String name, int limit);

    /** The result of {@link #put}. */
    enum PutResult {
        /** There was none of this name. */
        ADDED,
        /** The definition of this name was another one. */
        CHANGED,
        /** It is as it was; nothing was written. */
        UNCHANGED
    }

    /**
     * A recurring message as it is stored.
     *
     * @param name        its name
     * @param destination the queue that it enqueues to, or the topic
     * @param topic       whether the destination is a topic
     * @param schedule    the text of its schedule, see {@link Schedule#parse}
     * @param zone        the time zone of a cron expression; empty for other schedules
     * @param misfire     the text of its misfire policy, see {@link Recurring.Misfire#parse}
     * @param grace       how late a tick may be and still count as on time
     * @param overlap     what happens when the previous message has not ended
     * @param expiresAfter how long after its enqueue the message of a tick may be started; empty for the default of its queue
     * @param spread      the window in which its ticks come later than its schedule says; zero for none
     * @param paused      whether its ticks enqueue nothing
     * @param declared    whether the start of an engine has added or changed it
     * @param version     how often it was changed, 1 when it was added
     * @param next        its next tick; for a fixed delay, when the end of its message is looked for next. Empty when no tick is left
     * @param changedAt   when it was added or changed, by the database's clock
     */
    record RecurringInfo(
            String name,
            String destination,
            boolean topic,
            String schedule,
            String zone,
            String misfire,
            Duration grace,
            Overlap overlap,
            Optional<Duration> expiresAfter,
            Duration spread,
            boolean paused,
            boolean declared,
            int version,
            Optional<Instant> next,
            Instant changedAt) {}

    /**
     * A tick that was due, or several successive ones of which none was enqueued.
     *
     * @param name   the name of the recurring message
     * @param at     the instant of the tick, of the latest one if there are several
     * @param result what became of it
     * @param missed how many earlier ticks the entry also stands for
     * @param uid    the unique number of the message; empty when none was enqueued, and for a topic
     * @param doneAt when it was recorded, by the database's clock
     */
    record TickEntry(String name, Instant at, TickResult result, int missed, Optional<UUID> uid, Instant doneAt) {}

    /** The result of a tick. */
    enum TickResult {
        /** Its message was enqueued. */
        ENQUEUED,
        /** It was later than the grace, and the misfire policy enqueues none for it. */
        SKIPPED,
        /** The previous message had not ended, and it must not overlap. */
        OVERLAPPED,
        /** An operator enqueued a message outside the schedule. */
        TRIGGERED,
        /** It was published to a topic of which no subscription took it, so nothing was stored; also when an operator did it. */
        UNSUBSCRIBED
    }
}
