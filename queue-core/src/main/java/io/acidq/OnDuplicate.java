package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policy of an enqueue whose message key is taken by another message of the queue. Immutable. The policy of the present call
 * applies, whatever policy the message that holds the key was enqueued with.
 *
 * @param action what is done
 * @param time   the period of {@link #throttle}, the longest wait of {@link #debounce(Duration)}, else null
 */
public record OnDuplicate(Action action, @Nullable Duration time) {

    private static final OnDuplicate IGNORE = new OnDuplicate(Action.IGNORE, null);
    private static final OnDuplicate REJECT = new OnDuplicate(Action.REJECT, null);
    private static final OnDuplicate REPLACE = new OnDuplicate(Action.REPLACE, null);
    private static final OnDuplicate DEBOUNCE = new OnDuplicate(Action.DEBOUNCE, null);

    /** The actions; each is explained at the factory method of its name. */
    public enum Action {
        IGNORE,
        REJECT,
        REPLACE,
        DEBOUNCE,
        THROTTLE
    }

    /**
     * Checks the time.
     *
     * @throws QueueMisuseException when the time is missing, is not 1 ms to 36500 days, or is given for an action that has none
     */
    public OnDuplicate {
        boolean timed = action == Action.THROTTLE || (action == Action.DEBOUNCE && time != null);
        if (timed) {
            InputChecks.checkPeriod(
                    action == Action.THROTTLE ? "period of throttle" : "longest wait of debounce", time);
        } else if (time != null) {
            throw new QueueMisuseException(action + " takes no time: leave it out");
        }
    }

    /** Adds no message and returns the one that holds the key. The default. */
    public static OnDuplicate ignore() {
        return IGNORE;
    }

    /** Throws {@link KeyTakenException}, which names the message that holds the key. The transaction stays usable. */
    public static OnDuplicate reject() {
        return REJECT;
    }

    /**
     * Keeps the newest content: if the message that holds the key is not yet due, it gets the payload, headers and due time of this call. If it
     * was already due, in whatever state it is now, a successor is added, which holds the key from then on.
     *
     * <p>A message without an ordering key gets its message key as ordering key, so that a successor waits for its predecessor.
     */
    public static OnDuplicate replace() {
        return REPLACE;
    }

    /**
     * Replaces the message as {@link #replace()} does, but never makes it due earlier: each call moves the due time further into the future, and the
     * message runs when no call has come for the delay. Needs a delay, or an instant at which the message is due.
     */
    public static OnDuplicate debounce() {
        return DEBOUNCE;
    }

    /**
     * Debounces with a latest due time (see {@link #debounce()}), so that a steady stream of calls cannot keep the message from running.
     *
     * @param longestWait the latest due time, counted from the enqueue that added the message. At least the delay; 1 ms to 36500 days
     */
    public static OnDuplicate debounce(Duration longestWait) {
        return new OnDuplicate(Action.DEBOUNCE, longestWait);
    }

    /**
     * Adds at most one message in each period. The deduplication window of the key is this long and begins with the enqueue that added the message. As
     * every window, it does not end before its message has ended.
     *
     * @param period 1 ms to 36500 days
     */
    public static OnDuplicate throttle(Duration period) {
        return new OnDuplicate(Action.THROTTLE, period);
    }

    /** Whether this may change the message that holds the key, or add a successor. */
    public boolean replaces() {
        return action == Action.REPLACE || action == Action.DEBOUNCE;
    }

    void checkFor(@Nullable Duration delay) {
        if (action == Action.DEBOUNCE && time != null && delay != null && delay.compareTo(time) > 0) {
            throw new MessageRejectedException("the delay " + delay + " is longer than the longest wait " + time
                    + " of debounce, so no call could move the due time: give a longer wait or a shorter delay");
        }
    }
}
