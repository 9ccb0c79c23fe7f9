package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Recurring.Misfire;
import io.acidq.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ticks every 10 minutes; those that are more than 15 minutes late are misfires. */
class TickPlanTest {

    private static final Schedule SCHEDULE = Schedule.every(Duration.ofMinutes(10));
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static TickPlan plan(Misfire misfire, long minutes, boolean mayOverlap, boolean running) {
        return TickPlan.of(
                SCHEDULE,
                START,
                START.plus(Duration.ofMinutes(minutes)),
                Duration.ofMinutes(15),
                misfire,
                mayOverlap,
                running);
    }

    private static List<String> ticks(TickPlan plan) {
        return plan.ticks().stream()
                .map(tick -> Duration.between(START, tick.at()).toMinutes() + " " + tick.result() + " " + tick.missed())
                .toList();
    }

    @Test
    void enqueuesEachTickOnTime() {
        TickPlan plan = plan(Misfire.skip(), 11, true, false);
        assertThat(ticks(plan)).containsExactly("0 ENQUEUED 0", "10 ENQUEUED 0");
        assertThat(plan.next()).isEqualTo(START.plus(Duration.ofMinutes(20)));
    }

    @Test
    void combinesMisfires() {
        assertThat(ticks(plan(Misfire.once(), 60, true, false)))
                .containsExactly("40 ENQUEUED 4", "50 ENQUEUED 0", "60 ENQUEUED 0");
    }

    @Test
    void skipsMisfires() {
        assertThat(ticks(plan(Misfire.skip(), 60, true, false)))
                .containsExactly("40 SKIPPED 4", "50 ENQUEUED 0", "60 ENQUEUED 0");
    }

    @Test
    void catchesUpTheLatestMisfires() {
        assertThat(ticks(plan(Misfire.catchUp(2), 60, true, false)))
                .containsExactly("20 SKIPPED 2", "30 ENQUEUED 0", "40 ENQUEUED 0", "50 ENQUEUED 0", "60 ENQUEUED 0");
        assertThat(ticks(plan(Misfire.catchUp(5), 60, true, false))).hasSize(7).allMatch(t -> t.contains("ENQUEUED"));
        assertThat(ticks(plan(Misfire.catchUp(9), 60, true, false))).hasSize(7).allMatch(t -> t.contains("ENQUEUED"));
    }

    @Test
    void enqueuesOnlyTheLatestWhenMessagesMustNotOverlap() {
        assertThat(ticks(plan(Misfire.catchUp(5), 60, false, false)))
                .containsExactly("50 OVERLAPPED 5", "60 ENQUEUED 0");
        assertThat(ticks(plan(Misfire.once(), 60, false, true))).containsExactly("60 OVERLAPPED 6");
        assertThat(ticks(plan(Misfire.skip(), 5, false, true))).containsExactly("0 OVERLAPPED 0");
    }

    @Test
    void standsForEveryTickOnce() {
        for (Misfire misfire : List.of(Misfire.once(), Misfire.skip(), Misfire.catchUp(1), Misfire.catchUp(7))) {
            for (int minutes = 0; minutes < 300; minutes += 7) {
                TickPlan plan = plan(misfire, minutes, true, false);
                assertThat(plan.ticks().stream().mapToInt(t -> t.missed() + 1).sum())
                        .as(misfire + " after " + minutes)
                        .isEqualTo(minutes / 10 + 1);
            }
        }
    }

    @Test
    void doesNotCountYears() {
        Schedule secondly = Schedule.cron("* * * * * *", "Europe/Berlin");
        Instant now = START.plus(Duration.ofDays(3650)).plusMillis(500);
        TickPlan plan = TickPlan.of(secondly, START, now, Duration.ofSeconds(1), Misfire.catchUp(3), true, false);
        assertThat(plan.ticks()).hasSize(5);
        assertThat(plan.ticks().get(4).at()).isEqualTo(now.minusMillis(500));
        assertThat(plan.ticks().get(0).missed()).isGreaterThanOrEqualTo(TickPlan.MAX_COUNTED - 1);
        assertThat(plan.next()).isEqualTo(now.plusMillis(500));
    }

    @Test
    void goesOnLaterWhenManyAreOnTime() {
        Schedule often = Schedule.every(Duration.ofMillis(100));
        TickPlan plan =
                TickPlan.of(often, START, START.plusSeconds(60), Duration.ofMinutes(2), Misfire.once(), true, false);
        assertThat(plan.ticks()).hasSize(TickPlan.MAX_ON_TIME);
        assertThat(plan.next()).isEqualTo(START.plusSeconds(10));
    }
}
