package io.acidq;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an enqueue does when its message key is taken by another message of the queue. Immutable. Each call decides for itself; what
 * it finds may have been enqueued with another one.
 *
 * @param action what is done
 * @param time   the period of {@link #throttle}, the longest wait of {@link #debounce(Duration)}, else null
 */
public record OnDuplicate(Action action, @Nullable Duration time) {

    private static final OnDuplicate IGNORE = new OnDuplicate(Action.IGNORE, null);
    private static final OnDuplicate REJECT = new OnDuplicate(Action.REJECT, null);
    private static final OnDuplicate REPLACE = new OnDuplicate(Action.REPLACE, null);
    private static final OnDuplicate DEBOUNCE = new OnDuplicate(Action.DEBOUNCE, null);

    /** The kinds of it, see the factories. */
    public enum Action {
        IGNORE,
        REJECT,
        REPLACE,
        DEBOUNCE,
        THROTTLE
    }

    public OnDuplicate {
        boolean timed = action == Action.THROTTLE || (action == Action.DEBOUNCE && time != null);
        if (timed) {
            Limits.checkPeriod(action == Action.THROTTLE ? "period of throttle" : "longest wait of debounce", time);
        } else if (time != null) {
            throw new QueueMisuseException(action + " takes no time: leave it out");
        }
    }

    /** Adds nothing and answers with the message that holds the key. The default. */
    public static OnDuplicate ignore() {
        return IGNORE;
    }

    /** Throws {@link KeyTakenException}, which names the message that holds the key. The transaction stays usable. */
    public static OnDuplicate reject() {
        return REJECT;
    }

    /**
     * The newest content wins: payload, headers and due time of the message that holds the key become those of this call, if it is not
     * yet due. If it was due already, whatever has become of it, a successor is added and holds the key from then on.
     *
     * <p>Without an ordering key of its own the message gets its message key as ordering key, so that a successor waits for its predecessor.
     */
    public static OnDuplicate replace() {
        return REPLACE;
    }

    /**
     * As {@link #replace()}, but never makes the message due earlier: each call pushes the due time out, and it runs when it has been
     * quiet. Needs a delay or an instant to be due at.
     */
    public static OnDuplicate debounce() {
        return DEBOUNCE;
    }

    /**
     * The same with an end, so that a steady stream of calls does not keep the message from running.
     *
     * @param longestWait the latest due time, counted from the enqueue that added the message; at least the delay. 1 ms to 36500 days
     */
    public static OnDuplicate debounce(Duration longestWait) {
        return new OnDuplicate(Action.DEBOUNCE, longestWait);
    }

    /**
     * One message for each period: the window of the key is this long and begins with the enqueue that added the message. As every window it
     * does not end before its message is done or discarded.
     *
     * @param period 1 ms to 36500 days
     */
    public static OnDuplicate throttle(Duration period) {
        return new OnDuplicate(Action.THROTTLE, period);
    }

    /** Whether it may change the message that holds the key, or succeed it. */
    public boolean replaces() {
        return action == Action.REPLACE || action == Action.DEBOUNCE;
    }

    void checkFor(@Nullable Duration delay) {
        if (action == Action.DEBOUNCE && time != null && delay != null && delay.compareTo(time) > 0) {
            throw new MessageRejectedException("the delay " + delay + " is longer than the longest wait " + time
                    + " of debounce, so nothing would ever be pushed out: give a longer wait or a shorter delay");
        }
    }
}
