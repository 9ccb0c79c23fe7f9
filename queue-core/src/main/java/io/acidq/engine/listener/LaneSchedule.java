package io.acidq.engine.listener;

import io.acidq.Priority;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The schedule by which the poller of one queue claims from lanes. It decides which lane is next, which lanes wait
 * because the last claim there got nothing, and when to search the database for further lanes.
 *
 * <p>Each {@link Priority} has lanes of its own; the poller chooses the priority, the schedule a lane of it.
 * Lanes that a wake-up has named alternate with other lanes, and within each of the two groups the lane that was
 * added first is next. So a new message does not wait behind a backlog, and no lane waits behind lanes that are named
 * later.
 *
 * <p>A lane waits when a claim found rows there and could take none: each time longer, but not beyond the next due
 * time. It also waits when a claim got messages of a single ordering key, because the next messages of that key cannot
 * start before these have ended.
 *
 * <p>Searches are frequent while they find messages that no wake-up has named, and become rarer while they do not. In
 * the end they are left to the {@code WorkFinder}, which makes one search for all idle queues of the node.
 *
 * <p>Confined to the poller's thread.
 */
final class LaneSchedule {

    private static final long FIRST_WAIT_NANOS = Duration.ofMillis(2).toNanos();

    /**
     * The first wait of a lane whose ordering keys run in this node. It is longer, since the end of such a message
     * wakes the poller.
     */
    private static final long FIRST_WAIT_NANOS_WHILE_HELD =
            Duration.ofMillis(32).toNanos();

    /** How often the poller looks for other ordering keys in a lane that yields messages of a single one. */
    private static final long BETWEEN_SEARCHES_FOR_OTHER_KEYS =
            Duration.ofMillis(100).toNanos();

    private final LongSupplier nanoTime;
    private final Duration minInterval;
    private final Duration maxInterval;

    /** The lanes to claim from now, by priority. */
    private final Map<Priority, LaneQueue> queues = new EnumMap<>(Priority.class);

    private final Map<Integer, LaneWait> waits = new HashMap<>();

    /** When a claim last got nothing, by lane. */
    private final Map<Integer, Long> claimedNothingAt = new HashMap<>();

    /** The lanes that the last search has found and no wake-up has named since. */
    private final Set<Integer> foundBySearch = new HashSet<>();

    private Duration interval;
    private long lastSearch;
    private long nextSearch;

    /** Whether the poller was busy since the last search: messages may have been committed that neither it nor the work finder has looked for. */
    private boolean busySinceSearch;

    /**
     * Creates a schedule without lanes, whose first search is due at once.
     *
     * @param minInterval the time between two searches while they find messages
     * @param maxInterval the time between two searches of a poller that is always busy, and the longest wait of a lane
     */
    LaneSchedule(LongSupplier nanoTime, Duration minInterval, Duration maxInterval) {
        this.nanoTime = nanoTime;
        this.minInterval = minInterval;
        this.maxInterval = maxInterval;
        this.interval = minInterval;
        this.lastSearch = nanoTime.getAsLong();
        this.nextSearch = lastSearch;
        for (Priority priority : Priority.values()) {
            queues.put(priority, new LaneQueue());
        }
    }

    /** Returns whether there is no lane to claim from now. */
    boolean isEmpty() {
        return size() == 0;
    }

    /** Returns how many lanes there are to claim from now. */
    int size() {
        int size = 0;
        for (LaneQueue queue : queues.values()) {
            size += queue.size();
        }
        return size;
    }

    /** Returns whether there are lanes of a priority to claim from now. */
    boolean hasLanes(Priority priority) {
        return of(priority).size() > 0;
    }

    /** Returns the priorities that have lanes to claim from now. */
    Set<Priority> priorities() {
        Set<Priority> priorities = EnumSet.noneOf(Priority.class);
        queues.forEach((priority, queue) -> {
            if (queue.size() > 0) {
                priorities.add(priority);
            }
        });
        return priorities;
    }

    /** Removes and returns the next lane of a priority. There must be one. */
    int next(Priority priority) {
        return of(priority).next();
    }

    private LaneQueue of(Priority priority) {
        return Objects.requireNonNull(queues.get(priority));
    }

    /** Adds a lane that a wake-up has named, because a message was committed there. */
    void addNotified(int lane) {
        foundBySearch.remove(lane);
        ofLane(lane).addNotified(lane);
    }

    /**
     * Ends the wait of a lane of which an ordering key has become free. If its last claim got nothing, it counts as
     * named by a wake-up. A lane that again and again yields messages of its only key does not, since it would overtake
     * the other lanes.
     */
    void onKeyFreed(int lane) {
        LaneWait laneWait = waits.get(lane);
        if (laneWait != null && laneWait.claimedNothing) {
            ofLane(lane).addNotified(lane);
        } else if (isWaiting(lane)) {
            addOther(lane);
        }
    }

    /** Ends all waits and makes a search due, since there may be messages in every lane. */
    void wakeAllLanes() {
        waits.clear();
        claimedNothingAt.clear();
        searchSoon();
    }

    /** Adds the lanes in which the node's work finder has found rows of this queue. */
    void addFoundByWorkFinder(Collection<Integer> lanes) {
        busySinceSearch = false;
        lastSearch = nanoTime.getAsLong();
        addFound(lanes);
    }

    /** Adds lanes in which a search has found rows, except for those that wait. */
    void addFound(Collection<Integer> lanes) {
        for (int lane : lanes) {
            if (!isWaiting(lane)) {
                foundBySearch.add(lane);
                addOther(lane);
            }
        }
    }

    /** Adds the lanes whose wait is over. */
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
     * Lets a lane wait after a claim that found rows and could take none: twice as long as the last time, but not
     * beyond the next due time.
     *
     * @param nextDue the time until the first row seen there is due; null when unknown
     * @param held    whether this node holds messages of the lane that have an ordering key
     */
    void onNothingClaimed(int lane, @Nullable Duration nextDue, boolean held) {
        LaneWait before = waits.get(lane);
        long first = held ? FIRST_WAIT_NANOS_WHILE_HELD : FIRST_WAIT_NANOS;
        long unlimited = before == null || !before.claimedNothing ? first : before.length * 2;
        long wait = Math.min(maxInterval.toNanos(), unlimited);
        long sooner = nextDue == null ? wait : Math.min(wait, Math.max(0, nextDue.toNanos()));
        waits.put(lane, new LaneWait(wait, nanoTime.getAsLong() + sooner, true, false));
        claimedNothingAt.put(lane, nanoTime.getAsLong());
    }

    /** Drops a lane in which a claim found no rows. */
    void onEmpty(int lane) {
        waits.remove(lane);
    }

    /**
     * Records a claim that got messages. A lane with further rows stays in the schedule.
     *
     * @param leftover whether rows are left in the lane
     * @param oneKey   whether all claimed messages have the same ordering key: then the rows that are left most likely
     *                 have it too
     */
    void onClaimed(int lane, boolean leftover, boolean oneKey) {
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

    /** Returns whether a claim got nothing a moment ago: then the lane has no other ordering key to run. */
    private boolean claimedNothingLately(int lane) {
        Long when = claimedNothingAt.get(lane);
        return when != null && nanoTime.getAsLong() - when < BETWEEN_SEARCHES_FOR_OTHER_KEYS;
    }

    private boolean isWaiting(int lane) {
        LaneWait laneWait = waits.get(lane);
        return laneWait != null && !laneWait.over && nanoTime.getAsLong() - laneWait.until < 0;
    }

    private void addOther(int lane) {
        ofLane(lane).addOther(lane);
    }

    private LaneQueue ofLane(int lane) {
        return of(Priority.ofLane(lane));
    }

    /** Returns whether to search the database for lanes now. */
    boolean isSearchDue() {
        long now = nanoTime.getAsLong();
        if (busySinceSearch && now - lastSearch >= maxInterval.toNanos()) {
            return true; // messages may be waiting in other lanes than the known ones
        }
        return isEmpty() && !isLeftToWorkFinder() && nextSearch - now <= 0;
    }

    /** Records that a search begins. Each search that leads to no message makes the time until the next one longer. */
    void beginSearch() {
        busySinceSearch = false;
        lastSearch = nanoTime.getAsLong();
        nextSearch = lastSearch + interval.toNanos();
        Duration longer = interval.multipliedBy(2);
        interval = longer.compareTo(maxInterval) > 0 ? maxInterval : longer;
        foundBySearch.clear();
    }

    /** Makes a search due, since there may be messages in any lane. */
    void searchSoon() {
        interval = minInterval;
        nextSearch = nanoTime.getAsLong();
    }

    /** Records that the poller is busy or held up. The work finder does not search for its queue during that time. */
    void recordBusy() {
        busySinceSearch = true;
    }

    private boolean isLeftToWorkFinder() {
        return interval.compareTo(maxInterval) >= 0;
    }

    /** Returns the time until the next search is due or the first wait is over. */
    Duration untilNext() {
        long now = nanoTime.getAsLong();
        long wait = waits.values().stream()
                .filter(w -> !w.over)
                .mapToLong(w -> Math.max(0, w.until - now))
                .min()
                .orElse(Long.MAX_VALUE);
        return Duration.ofNanos(Math.min(wait, nanosUntilSearch(now)));
    }

    private long nanosUntilSearch(long now) {
        long left = isLeftToWorkFinder() ? maxInterval.toNanos() : nextSearch - now;
        return Math.max(0, busySinceSearch ? Math.min(left, lastSearch + maxInterval.toNanos() - now) : left);
    }

    /** The lanes of one priority to claim from now. */
    private static final class LaneQueue {

        private final Set<Integer> notified = new LinkedHashSet<>();
        private final Set<Integer> otherLanes = new LinkedHashSet<>();
        private boolean notifiedIsNext = true;

        int size() {
            return notified.size() + otherLanes.size();
        }

        int next() {
            boolean takesNotified = otherLanes.isEmpty() || (notifiedIsNext && !notified.isEmpty());
            notifiedIsNext = !takesNotified;
            Iterator<Integer> waiting = (takesNotified ? notified : otherLanes).iterator();
            int lane = waiting.next();
            waiting.remove();
            return lane;
        }

        void addNotified(int lane) {
            otherLanes.remove(lane);
            notified.add(lane);
        }

        void addOther(int lane) {
            if (!notified.contains(lane)) {
                otherLanes.add(lane);
            }
        }
    }

    /**
     * The wait of one lane.
     *
     * @param length         its length without regard to due times, from which the next one is computed
     * @param until          when it ends, by the monotonic clock
     * @param claimedNothing whether the claim before it got nothing
     * @param over           whether it has ended and the lane was added again
     */
    private record LaneWait(long length, long until, boolean claimedNothing, boolean over) {}
}
