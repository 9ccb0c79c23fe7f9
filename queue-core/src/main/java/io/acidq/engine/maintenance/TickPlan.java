package io.acidq.engine.maintenance;

import io.acidq.Recurring.Misfire;
import io.acidq.Schedule;
import io.acidq.admin.RecurringMessages.TickResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of the due ticks of a recurring message with cron or a fixed rate. The plan is a pure function of its schedule, its next tick and the
 * time.
 *
 * @param ticks what is recorded, by time: each entry stands for its tick and for those missed before it
 * @param next  the next tick; null when none is left
 */
record TickPlan(List<PlannedTick> ticks, @Nullable Instant next) {

    /** Ticks on time that one run enqueues; the next run goes on with the rest. */
    static final int MAX_ON_TIME = 100;

    /** Missed ticks that are counted one by one. */
    static final int MAX_COUNTED = 10_000;

    /**
     * A tick.
     *
     * @param missed how many earlier ticks it also stands for
     */
    record PlannedTick(Instant at, TickResult result, int missed) {}

    /**
     * Plans the ticks from the next one of the schedule to now.
     *
     * @param first       the next tick of the schedule, which is due
     * @param now         the time
     * @param grace       ticks that are older are misfires
     * @param mayOverlap  whether several messages may wait or run at the same time
     * @param notEnded    whether the previous message has not ended
     */
    static TickPlan of(
            Schedule schedule,
            Instant first,
            Instant now,
            Duration grace,
            Misfire misfire,
            boolean mayOverlap,
            boolean notEnded) {
        Instant onTime = now.minus(grace);
        List<PlannedTick> ticks = new ArrayList<>();
        Instant next = first;
        if (first.isBefore(onTime)) {
            next = addMisfires(schedule, first, onTime, misfire, ticks);
        }
        int count = 0;
        while (next != null && !next.isAfter(now) && count++ < MAX_ON_TIME) {
            ticks.add(new PlannedTick(next, TickResult.ENQUEUED, 0));
            next = schedule.next(next).orElse(null);
        }
        return new TickPlan(mayOverlap ? ticks : withoutOverlap(ticks, notEnded), next);
    }

    /** Adds the ticks before the limit, and returns the first one that is not before it. */
    private static @Nullable Instant addMisfires(
            Schedule schedule, Instant first, Instant limit, Misfire misfire, List<PlannedTick> ticks) {
        Deque<Instant> latest = new ArrayDeque<>();
        int kept = Math.max(1, misfire.limit() + 1); // with the one before those that are caught up
        int counted = 0;
        Instant tick = first;
        while (tick != null && tick.isBefore(limit)) {
            counted++;
            latest.add(tick);
            if (latest.size() > kept) {
                latest.remove();
            }
            if (counted == MAX_COUNTED) {
                tick = skipTo(schedule, tick, limit, kept);
            } else {
                tick = schedule.next(tick).orElse(null);
            }
        }
        if (misfire.combined()) {
            ticks.add(new PlannedTick(latest.getLast(), TickResult.ENQUEUED, counted - 1));
            return tick;
        }
        int skipped = Math.max(0, counted - misfire.limit());
        while (latest.size() > Math.min(counted, misfire.limit())) {
            Instant at = latest.remove();
            if (latest.size() == Math.min(counted, misfire.limit())) {
                ticks.add(new PlannedTick(at, TickResult.SKIPPED, skipped - 1));
            }
        }
        latest.forEach(at -> ticks.add(new PlannedTick(at, TickResult.ENQUEUED, 0)));
        return tick;
    }

    /** Returns a later tick that has at least so many ticks behind it before the limit, so that a pause of years is not counted tick by tick. */
    private static @Nullable Instant skipTo(Schedule schedule, Instant tick, Instant limit, int kept) {
        for (Duration back = Duration.ofSeconds(1); ; back = back.multipliedBy(2)) {
            Instant from = limit.minus(back);
            if (!from.isAfter(tick)) {
                return schedule.next(tick).orElse(null);
            }
            Instant start = schedule.next(from).orElse(null);
            Instant each = start;
            for (int i = 0; i < kept && each != null && each.isBefore(limit); i++) {
                each = schedule.next(each).orElse(null);
            }
            if (each != null && each.isBefore(limit)) {
                return start;
            }
        }
    }

    /** Lets the latest tick enqueue, or none while the previous message has not ended. */
    private static List<PlannedTick> withoutOverlap(List<PlannedTick> ticks, boolean notEnded) {
        List<PlannedTick> result = new ArrayList<>();
        int last = ticks.size() - 1;
        int overlapped = -1;
        Instant at = null;
        for (int i = 0; i <= last; i++) {
            PlannedTick tick = ticks.get(i);
            if (tick.result() != TickResult.ENQUEUED) {
                result.add(tick);
            } else if (i == last && !notEnded) {
                if (at != null) {
                    result.add(new PlannedTick(at, TickResult.OVERLAPPED, overlapped));
                    at = null;
                }
                result.add(tick);
            } else {
                overlapped += 1 + tick.missed();
                at = tick.at();
            }
        }
        if (at != null) {
            result.add(new PlannedTick(at, TickResult.OVERLAPPED, overlapped));
        }
        return result;
    }
}
