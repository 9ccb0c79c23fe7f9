package io.acidq.engine.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lanes that hold rows and are not tried again at once: those that gave nothing to claim, after growing waits or when something is due, and
 * those that gave messages of one ordering key, whose next ones have to wait for these.
 */
final class LaneRests {

    private static final long FIRST_NANOS = Duration.ofMillis(2).toNanos();

    /** Of a lane whose ordering keys run here: when one becomes free, somebody tells. */
    private static final long FIRST_NANOS_HELD = Duration.ofMillis(32).toNanos();

    /** So often a lane that gives messages of one ordering key is searched for others. */
    private static final long LATE_NANOS = Duration.ofMillis(100).toNanos();

    private final LongSupplier nanoTime;
    private final long longestNanos;
    private final Map<Integer, Rest> rests = new HashMap<>();
    private final Map<Integer, Long> vain = new HashMap<>();

    LaneRests(LongSupplier nanoTime, Duration longest) {
        this.nanoTime = nanoTime;
        this.longestNanos = longest.toNanos();
    }

    boolean isResting(int lane) {
        Rest rest = rests.get(lane);
        return rest != null && !rest.over && nanoTime.getAsLong() - rest.until < 0;
    }

    /**
     * The lane gave nothing; it rests twice as long as the last time, but not beyond the next due time seen there.
     *
     * @param held whether this node holds messages with ordering keys of the lane
     */
    void rest(int lane, @Nullable Duration nextDue, boolean held) {
        Rest before = rests.get(lane);
        long first = held ? FIRST_NANOS_HELD : FIRST_NANOS;
        long wanted = before == null || !before.gaveNothing ? first : before.length * 2;
        long wait = Math.min(longestNanos, wanted);
        long sooner = nextDue == null ? wait : Math.min(wait, Math.max(0, nextDue.toNanos()));
        rests.put(lane, new Rest(wait, nanoTime.getAsLong() + sooner, true, false));
        vain.put(lane, nanoTime.getAsLong());
    }

    /** The lane gave messages of one ordering key, and rests until they have run, or for a moment. */
    void restAfterOneKey(int lane) {
        long wait = Math.min(longestNanos, FIRST_NANOS_HELD);
        rests.put(lane, new Rest(wait, nanoTime.getAsLong() + wait, false, false));
    }

    /** Whether it gave nothing a moment ago: other ordering keys than those that run here have been looked for. */
    boolean gaveNothingOfLate(int lane) {
        Long when = vain.get(lane);
        return when != null && nanoTime.getAsLong() - when < LATE_NANOS;
    }

    /** The lanes whose rest is over, each once. */
    List<Integer> rested() {
        long now = nanoTime.getAsLong();
        List<Integer> rested = new ArrayList<>();
        rests.replaceAll((lane, rest) -> {
            if (rest.over || now - rest.until < 0) {
                return rest;
            }
            rested.add(lane);
            return new Rest(rest.length, rest.until, rest.gaveNothing, true);
        });
        return rested;
    }

    /** Whether the last claim there found rows and could take none. */
    boolean gaveNothing(int lane) {
        Rest rest = rests.get(lane);
        return rest != null && rest.gaveNothing;
    }

    /** The lane gave something, or is empty. */
    void forget(int lane) {
        rests.remove(lane);
    }

    /** All lanes may be looked at again; how long each has been resting is forgotten. */
    void clear() {
        rests.clear();
        vain.clear();
    }

    /** How long until the first resting lane is to be looked at, or the given time when that is sooner. */
    Duration untilNext(Duration atMost) {
        long now = nanoTime.getAsLong();
        long left = rests.values().stream()
                .filter(r -> !r.over)
                .mapToLong(r -> Math.max(0, r.until - now))
                .min()
                .orElse(Long.MAX_VALUE);
        return left < atMost.toNanos() ? Duration.ofNanos(left) : atMost;
    }

    private record Rest(long length, long until, boolean gaveNothing, boolean over) {}
}
