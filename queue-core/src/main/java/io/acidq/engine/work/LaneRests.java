package io.acidq.engine.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lanes that hold rows but gave nothing to claim: looked at again after growing waits, or when something is due. */
final class LaneRests {

    private static final long FIRST_NANOS = Duration.ofMillis(2).toNanos();

    /** Of a lane whose ordering keys run here: when one becomes free, somebody tells. */
    private static final long FIRST_NANOS_HELD = Duration.ofMillis(32).toNanos();

    private final LongSupplier nanoTime;
    private final long longestNanos;
    private final Map<Integer, Rest> rests = new HashMap<>();

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
        long wait = before == null ? Math.min(longestNanos, first) : Math.min(longestNanos, before.length * 2);
        long sooner = nextDue == null ? wait : Math.min(wait, Math.max(0, nextDue.toNanos()));
        rests.put(lane, new Rest(wait, nanoTime.getAsLong() + sooner, false));
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
            return new Rest(rest.length, rest.until, true);
        });
        return rested;
    }

    /** Whether the last claim there found rows and could take none. */
    boolean gaveNothing(int lane) {
        return rests.containsKey(lane);
    }

    /** The lane gave something, or is empty. */
    void forget(int lane) {
        rests.remove(lane);
    }

    /** All lanes may be looked at again; how long each has been resting is forgotten. */
    void clear() {
        rests.clear();
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

    private record Rest(long length, long until, boolean over) {}
}
