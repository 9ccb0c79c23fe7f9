package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Thousands of schedules of two or three engines. {@code -Dacidq.schedules=100000} runs more of them,
 * {@code -Dacidq.seed=n} begins with another seed.
 */
class SimulationTest {

    private static final long FIRST = Long.getLong("acidq.seed", 1);
    private static final long SCHEDULES =
            Long.getLong("acidq.schedules", Boolean.getBoolean("acidq.test.full") ? 2_000 : 1_000);

    private final Map<String, Integer> events = new TreeMap<>();

    /** Takes about eight seconds of computing: the events that must have happened at the end are rare. */
    @Test
    void keepsEveryPromiseInThousandsOfSchedules() {
        LongStream.range(FIRST, FIRST + SCHEDULES).forEach(seed -> {
            String broken = new Simulation(seed, StoreFlaw.NONE, countingTelemetry()).run();
            if (broken != null) {
                fail(broken + "\nRun it alone: -Dacidq.seed=" + seed + " -Dacidq.schedules=1");
            }
        });
        if (SCHEDULES >= 1_000) {
            assertThat(events)
                    .as("the schedules prove nothing about an event that never happened")
                    .containsKeys("declaredDead", "nodeDeclaredDead", "rescued", "quarantined", "reconciled", "fenced")
                    .containsKeys("requeued", "Done", "Retry", "Snooze", "Dead", "Cancelled")
                    .containsKeys("paused", "resumed", "outage");
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
                        .anyMatch(Objects::nonNull))
                .isTrue();
    }

    /** Counts the events by their methods, and the ends of messages by their outcomes. */
    private Telemetry countingTelemetry() {
        return (Telemetry) Proxy.newProxyInstance(
                Telemetry.class.getClassLoader(), new Class<?>[] {Telemetry.class}, (proxy, method, args) -> {
                    String event = method.getName();
                    if (event.equals("finished")) {
                        event = args[1].getClass().getSimpleName();
                    } else if (args[0] instanceof DatabaseState state && state.isOutage()) {
                        event = "outage";
                    }
                    events.merge(event, 1, Integer::sum);
                    return null;
                });
    }
}
