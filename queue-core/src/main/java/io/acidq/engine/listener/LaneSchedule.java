package io.acidq.engine.listener;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one queue that its poller claims from: which lane is next, which lanes rest because the last claim there brought nothing, and when
 * to search the database for further lanes.
 *
 * <p>Lanes that a wake-up named and other lanes take turns, and among each kind the one that has waited for longest is next. So a new message does
 * not wait behind a backlog, and no lane waits behind those that are named later.
 *
 * <p>A lane rests after a claim found rows there and could take none: for growing waits, or until something is due. It also rests after a claim
 * that brought messages of a single ordering key, whose next ones have to wait for these.
 *
 * <p>Searches are frequent while they lead to messages that no wake-up has named, and ever rarer while they do not. In the end they are left to the
 * {@code WorkFinder}, which searches once for all idle queues of the node.
 *
 * <p>Confined to the poller's thread.
 */
final class LaneSchedule {

    private static final long FIRST_WAIT_NANOS = Duration.ofMillis(2).toNanos();

    /** The first rest of a lane whose ordering keys run in this node: a wake-up comes when one of them becomes free. */
    private static final long FIRST_WAIT_NANOS_WHILE_HELD =
            Duration.ofMillis(32).toNanos();

    /** How often a lane that brings messages of a single ordering key is searched for others. */
    private static final long BETWEEN_SEARCHES_FOR_OTHER_KEYS =
            Duration.ofMillis(100).toNanos();

    private final LongSupplier nanoTime;
    private final Duration minInterval;
    private final Duration maxInterval;

    private final Set<Integer> notified = new LinkedHashSet<>();
    private final Set<Integer> otherLanes = new LinkedHashSet<>();
    private boolean notifiedIsNext = true;

    private final Map<Integer, LaneWait> waits = new HashMap<>();

    /** When a claim last brought nothing, by lane. */
    private final Map<Integer, Long> claimedNothingAt = new HashMap<>();

    /** The lanes that a search has found and no wake-up has named since. */
    private final Set<Integer> foundBySearch = new HashSet<>();

    private Duration interval;
    private long lastSearch;
    private long nextSearch;
    private boolean unwatched;

    /**
     * Of a queue of which nothing is known: the first search is due at once.
     *
     * @param minInterval between two searches while they lead to messages
     * @param maxInterval between two searches of a poller that is busy all the time; no rest is longer
     */
    LaneSchedule(LongSupplier nanoTime, Duration minInterval, Duration maxInterval) {
        this.nanoTime = nanoTime;
        this.minInterval = minInterval;
        this.maxInterval = maxInterval;
        this.interval = minInterval;
        this.lastSearch = nanoTime.getAsLong();
        this.nextSearch = lastSearch;
    }

    /** Whether no lane is to be claimed from now. */
    boolean isEmpty() {
        return notified.isEmpty() && otherLanes.isEmpty();
    }

    /** How many lanes are to be claimed from now. */
    int size() {
        return notified.size() + otherLanes.size();
    }

    /** Takes the next lane; there must be one. */
    int next() {
        boolean takesNotified = otherLanes.isEmpty() || (notifiedIsNext && !notified.isEmpty());
        notifiedIsNext = !takesNotified;
        Iterator<Integer> waiting = (takesNotified ? notified : otherLanes).iterator();
        int lane = waiting.next();
        waiting.remove();
        return lane;
    }

    /** A wake-up has named this lane: something was committed there. */
    void notified(int lane) {
        foundBySearch.remove(lane);
        addNotified(lane);
    }

    /**
     * An ordering key of this lane has become free. A lane that had nothing else counts as notified; one that brings messages of its only key time
     * after time does not, since it must not overtake the others.
     */
    void keyFreed(int lane) {
        LaneWait laneWait = waits.get(lane);
        if (laneWait != null && laneWait.claimedNothing) {
            addNotified(lane);
        } else if (isWaiting(lane)) {
            addOther(lane);
        }
    }

    /** There may be work in every lane: no lane rests any more, and a search is due. */
    void wakeAllLanes() {
        waits.clear();
        claimedNothingAt.clear();
        searchSoon();
    }

    /** This node's work finder has searched for this queue, and these lanes hold rows. */
    void foundByWorkFinder(Collection<Integer> lanes) {
        unwatched = false;
        lastSearch = nanoTime.getAsLong();
        found(lanes);
    }

    /** A search has found rows in these lanes. */
    void found(Collection<Integer> lanes) {
        for (int lane : lanes) {
            if (!isWaiting(lane)) {
                foundBySearch.add(lane);
                addOther(lane);
            }
        }
    }

    /** Takes up again the lanes whose rest is over. */
    void endElapsedWaits() {
        long now = nanoTime.getAsLong();
        waits.replaceAll((lane, laneWait) -> {
            if (laneWait.over || now - laneWait.until < 0) {
                return laneWait;
            }
            addOther(lane);
            return new LaneWait(laneWait.length, laneWait.until, laneWait.claimedNothing, true);
        });
    }

    /**
     * A claim found rows in the lane and could take none: the lane rests twice as long as the last time, but not beyond the next due time.
     *
     * @param nextDue how long until the first row seen there is due; null when that is unknown
     * @param held    whether this node holds messages with ordering keys of the lane
     */
    void claimedNothing(int lane, @Nullable Duration nextDue, boolean held) {
        LaneWait before = waits.get(lane);
        long first = held ? FIRST_WAIT_NANOS_WHILE_HELD : FIRST_WAIT_NANOS;
        long wanted = before == null || !before.claimedNothing ? first : before.length * 2;
        long wait = Math.min(maxInterval.toNanos(), wanted);
        long sooner = nextDue == null ? wait : Math.min(wait, Math.max(0, nextDue.toNanos()));
        waits.put(lane, new LaneWait(wait, nanoTime.getAsLong() + sooner, true, false));
        claimedNothingAt.put(lane, nanoTime.getAsLong());
    }

    /** A claim found no rows in the lane. */
    void wasEmpty(int lane) {
        waits.remove(lane);
    }

    /**
     * A claim has brought messages of the lane.
     *
     * @param leftover whether rows stayed behind
     * @param oneKey   whether all messages are of a single ordering key: the leftover most likely is too
     */
    void claimedMessages(int lane, boolean leftover, boolean oneKey) {
        waits.remove(lane);
        if (foundBySearch.remove(lane)) {
            interval = minInterval;
            nextSearch = lastSearch + interval.toNanos();
        }
        if (leftover && oneKey && claimedNothingLately(lane)) {
            long wait = Math.min(maxInterval.toNanos(), FIRST_WAIT_NANOS_WHILE_HELD);
            waits.put(lane, new LaneWait(wait, nanoTime.getAsLong() + wait, false, false));
        } else if (leftover) {
            addOther(lane);
        }
    }

    /** Whether other ordering keys than those that run here have been looked for a moment ago. */
    private boolean claimedNothingLately(int lane) {
        Long when = claimedNothingAt.get(lane);
        return when != null && nanoTime.getAsLong() - when < BETWEEN_SEARCHES_FOR_OTHER_KEYS;
    }

    private boolean isWaiting(int lane) {
        LaneWait laneWait = waits.get(lane);
        return laneWait != null && !laneWait.over && nanoTime.getAsLong() - laneWait.until < 0;
    }

    private void addNotified(int lane) {
        otherLanes.remove(lane);
        notified.add(lane);
    }

    private void addOther(int lane) {
        if (!notified.contains(lane)) {
            otherLanes.add(lane);
        }
    }

    /** Whether to search the database for lanes now. */
    boolean isSearchDue() {
        long now = nanoTime.getAsLong();
        if (unwatched && now - lastSearch >= maxInterval.toNanos()) {
            return true; // other lanes than the known ones may have been waiting
        }
        return isEmpty() && !isLeftToWorkFinder() && nextSearch - now <= 0;
    }

    /** A search begins. Each one that leads to nothing makes the time until the next one longer. */
    void beginSearch() {
        unwatched = false;
        lastSearch = nanoTime.getAsLong();
        nextSearch = lastSearch + interval.toNanos();
        Duration longer = interval.multipliedBy(2);
        interval = longer.compareTo(maxInterval) > 0 ? maxInterval : longer;
        foundBySearch.clear();
    }

    /** A search is due: there may be work in any lane. */
    void searchSoon() {
        interval = minInterval;
        nextSearch = nanoTime.getAsLong();
    }

    /** The poller is busy or held up: the work finder does not search for this queue, and what is committed meanwhile no search sees. */
    void stopWatching() {
        unwatched = true;
    }

    private boolean isLeftToWorkFinder() {
        return interval.compareTo(maxInterval) >= 0;
    }

    /** How long until the next search is due or the first rest is over. */
    Duration untilNext() {
        long now = nanoTime.getAsLong();
        long rest = waits.values().stream()
                .filter(r -> !r.over)
                .mapToLong(r -> Math.max(0, r.until - now))
                .min()
                .orElse(Long.MAX_VALUE);
        return Duration.ofNanos(Math.min(rest, nanosUntilSearch(now)));
    }

    private long nanosUntilSearch(long now) {
        long left = isLeftToWorkFinder() ? maxInterval.toNanos() : nextSearch - now;
        return Math.max(0, unwatched ? Math.min(left, lastSearch + maxInterval.toNanos() - now) : left);
    }

    /**
     * The rest of one lane.
     *
     * @param length         how long it was meant to be, from which the next one is computed
     * @param until          when it ends, by the monotonic clock
     * @param claimedNothing whether the claim before it could take nothing
     * @param over           whether it has ended and the lane was taken up again
     */
    private record LaneWait(long length, long until, boolean claimedNothing, boolean over) {}
}
