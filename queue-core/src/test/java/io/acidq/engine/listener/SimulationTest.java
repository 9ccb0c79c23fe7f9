package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Thousands of schedules of two or three engines: {@code -Dacidq.schedules=100000} runs more of them, {@code -Dacidq.seed=n} begins with
 * another one.
 */
class SimulationTest {

    private static final long FIRST = Long.getLong("acidq.seed", 1);
    private static final long SCHEDULES =
            Long.getLong("acidq.schedules", Boolean.getBoolean("acidq.test.full") ? 2_000 : 1_000);

    private final Map<String, Integer> seen = new TreeMap<>();

    /** Takes some eight seconds of computing: what must have happened at the end is rare, and happens in few schedules. */
    @Test
    void keepsEveryPromiseInThousandsOfSchedules() {
        LongStream.range(FIRST, FIRST + SCHEDULES).forEach(seed -> {
            String broken = new Simulation(seed, StoreFlaw.NONE, new Counting()).run();
            if (broken != null) {
                fail(broken + "\nRun it alone: -Dacidq.seed=" + seed + " -Dacidq.schedules=1");
            }
        });
        if (SCHEDULES >= 1_000) {
            assertThat(seen)
                    .as("what happened, or the schedules prove nothing")
                    .containsKeys(
                            "declared dead",
                            "declared another dead",
                            "rescued",
                            "quarantined",
                            "reconciled",
                            "fenced",
                            "requeued")
                    .containsKeys("done", "Retry", "Snooze", "Dead", "Cancelled", "paused", "resumed", "outage");
        }
    }

    @Test
    void repeatsAScheduleByItsSeed() {
        LongStream.range(FIRST, FIRST + 20).forEach(seed -> {
            Simulation first = new Simulation(seed, StoreFlaw.NONE, new Telemetry() {});
            Simulation second = new Simulation(seed, StoreFlaw.NONE, new Telemetry() {});
            assertThat(first.run()).isEqualTo(second.run());
            assertThat(first.trace()).isEqualTo(second.trace());
        });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void findsABrokenStore(StoreFlaw storeFlaw) {
        assertThat(LongStream.range(FIRST, FIRST + SCHEDULES)
                        .mapToObj(seed -> new Simulation(seed, storeFlaw, new Telemetry() {}).run())
                        .anyMatch(broken -> broken != null))
                .isTrue();
    }

    /** What the engines tell. */
    private final class Counting implements Telemetry {

        private void count(String what) {
            seen.merge(what, 1, Integer::sum);
        }

        @Override
        public void finished(MessageId id, Outcome outcome, Duration took) {
            count(outcome == Outcome.done() ? "done" : outcome.getClass().getSimpleName());
        }

        @Override
        public void requeued(MessageId id, Throwable cause) {
            count("requeued");
        }

        @Override
        public void fenced(MessageId id) {
            count("fenced");
        }

        @Override
        public void declaredDead(int node) {
            count("declared dead");
        }

        @Override
        public void nodeDeclaredDead(int node) {
            count("declared another dead");
        }

        @Override
        public void rescued(int node, int messages) {
            count("rescued");
        }

        @Override
        public void quarantined(MessageId id, String cause) {
            count("quarantined");
        }

        @Override
        public void reconciled(int messages) {
            count("reconciled");
        }

        @Override
        public void paused(String queue) {
            count("paused");
        }

        @Override
        public void resumed(String queue) {
            count("resumed");
        }

        @Override
        public void databaseChanged(DatabaseState state, @Nullable Throwable cause) {
            count(state.isOutage() ? "outage" : "back");
        }
    }
}
