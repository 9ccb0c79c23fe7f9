package io.acidq.engine.work;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * When a poller looks for lanes with work: often while that leads to messages that no hint has told of, ever more seldom when it does not,
 * and then it leaves looking to the lookout, which looks once for all idle queues of the node.
 */
final class Looks {

    private final LongSupplier nanoTime;
    private final Duration shortest;
    private final Duration longest;
    private final Set<Integer> seen = new HashSet<>();
    private Duration interval;
    private long last;
    private long next;
    private boolean unwatched;

    /**
     * The first one is due at once.
     *
     * @param shortest the time between two looks while they lead to something
     * @param longest  between two looks of a poller that is busy all the time
     */
    Looks(LongSupplier nanoTime, Duration shortest, Duration longest) {
        this.nanoTime = nanoTime;
        this.shortest = shortest;
        this.longest = longest;
        this.interval = shortest;
        this.last = nanoTime.getAsLong();
        this.next = last;
    }

    /**
     * Whether to look now.
     *
     * @param knowsOf whether lanes with work are known
     */
    boolean isTime(boolean knowsOf) {
        long now = nanoTime.getAsLong();
        if (unwatched && now - last >= longest.toNanos()) {
            return true; // other lanes than those it knows of may have been waiting
        }
        return !knowsOf && !isDormant() && next - now <= 0;
    }

    /** A look begins; each that leads to nothing makes the time until the next one longer. */
    void begin() {
        unwatched = false;
        last = nanoTime.getAsLong();
        next = last + interval.toNanos();
        Duration longer = interval.multipliedBy(2);
        interval = longer.compareTo(longest) > 0 ? longest : longer;
        seen.clear();
    }

    /** This lane holds work, and nobody has told of it. */
    void saw(int lane) {
        seen.add(lane);
    }

    /** Somebody has told of this lane. */
    void told(int lane) {
        seen.remove(lane);
    }

    /** This lane held a message. */
    void ledTo(int lane) {
        if (seen.remove(lane)) {
            interval = shortest;
            next = last + interval.toNanos();
        }
    }

    /** The poller is busy, or held up: the lookout does not look for this queue, and what is committed meanwhile is seen by nobody. */
    void unwatched() {
        unwatched = true;
    }

    /** The lookout has looked for this queue. */
    void lookoutLooked() {
        unwatched = false;
        last = nanoTime.getAsLong();
    }

    /** There may be work anywhere. */
    void soon() {
        interval = shortest;
        next = nanoTime.getAsLong();
    }

    /** Whether looking is left to the lookout. */
    boolean isDormant() {
        return interval.compareTo(longest) >= 0;
    }

    /** Until the next one is due, if it is not left to the lookout. */
    Duration untilNext() {
        long now = nanoTime.getAsLong();
        long left = isDormant() ? longest.toNanos() : next - now;
        return Duration.ofNanos(Math.max(0, unwatched ? Math.min(left, last + longest.toNanos() - now) : left));
    }
}
