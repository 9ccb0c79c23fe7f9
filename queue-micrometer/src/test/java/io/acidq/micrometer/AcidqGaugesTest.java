package io.acidq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Backlog;
import io.acidq.micrometer.AcidqGauges.SampledEngine;
import io.acidq.store.ClaimStrategy;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.QueueState;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcidqGaugesTest {

    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FakeEngine engine = new FakeEngine();
    private long nanos;
    private final AcidqGauges gauges = new AcidqGauges(new Meters(registry, "main"), engine, PERIOD, () -> nanos);

    /** An engine with settable answers. */
    private static final class FakeEngine implements SampledEngine {

        private DatabaseState database = DatabaseState.UP;
        private Backlog backlog = new Backlog("orders", 5, 2, 1, 30, 4, 0, 0, Optional.of(Duration.ofMillis(2500)));
        private boolean fails;
        private volatile int queries;
        private final CountDownLatch sampled = new CountDownLatch(1);

        @Override
        public EngineHealth health() {
            return new EngineHealth(database, Duration.ZERO, Optional.empty(), 1, Optional.empty());
        }

        @Override
        public Set<String> knownQueues() {
            return Set.of("orders", "letters");
        }

        @Override
        public List<QueueState> queues() {
            return List.of(new QueueState("orders", 4, 3, 9, false, Optional.empty(), List.of(), ClaimStrategy.LANES));
        }

        @Override
        public Backlog backlog(String queue) {
            queries++;
            sampled.countDown();
            if (fails) {
                throw new TransientQueueException("no connection", new IllegalStateException());
            }
            return backlog;
        }

        @Override
        public boolean isPaused(String queue) {
            return queue.equals("letters");
        }

        @Override
        public int blockedKeys(String queue) {
            return 6;
        }
    }

    @Test
    void showsTheValuesOfTheSampleWithoutAQuery() {
        gauges.sample();
        int queries = engine.queries;

        assertThat(value("acidq.workers")).isEqualTo(4);
        assertThat(value("acidq.running")).isEqualTo(3);
        assertThat(value("acidq.unstarted")).isEqualTo(9);
        assertThat(value("acidq.backlog", "state", "ready")).isEqualTo(5);
        assertThat(value("acidq.backlog", "state", "scheduled")).isEqualTo(30);
        assertThat(value("acidq.backlog", "state", "dead")).isEqualTo(4);
        assertThat(value("acidq.oldest")).isEqualTo(2.5);
        assertThat(value("acidq.blocked.keys")).isEqualTo(6);
        assertThat(value("acidq.paused")).isZero();
        assertThat(registry.get("acidq.paused").tags("queue", "letters").gauge().value())
                .isEqualTo(1);
        assertThat(engine.queries).isEqualTo(queries);
    }

    @Test
    void showsThatCountingReachedItsLimit() {
        gauges.sample();
        assertThat(value("acidq.backlog.complete")).isEqualTo(1);

        engine.backlog = new Backlog("orders", Backlog.MAX_COUNTED, 0, 0, 0, 0, 0, 0, Optional.empty());
        gauges.sample();
        assertThat(value("acidq.backlog.complete")).isZero();
        assertThat(value("acidq.oldest")).isZero();
    }

    @Test
    void showsNoNumberDuringAnOutageAndDoesNotQuery() {
        gauges.sample();
        int queries = engine.queries;
        engine.database = DatabaseState.DOWN;

        gauges.sample();

        assertThat(engine.queries).isEqualTo(queries);
        assertThat(value("acidq.backlog", "state", "ready")).isNaN();
        assertThat(value("acidq.paused")).isNaN();
        assertThat(value("acidq.workers")).isEqualTo(4);
    }

    @Test
    void showsNoNumberWhenAReadFails() {
        engine.fails = true;

        gauges.sample();

        assertThat(value("acidq.oldest")).isNaN();
        assertThat(value("acidq.running")).isEqualTo(3);
    }

    @Test
    void discardsASampleAfterThreePeriods() {
        gauges.sample();
        nanos += PERIOD.multipliedBy(3).toNanos();
        assertThat(value("acidq.workers")).isEqualTo(4);

        nanos++;
        assertThat(value("acidq.workers")).isNaN();
    }

    @Test
    void samplesOnItsOwnThreadAndRemovesItsGauges() throws InterruptedException {
        gauges.start();
        assertThat(engine.sampled.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(value("acidq.database", "state", "up")).isEqualTo(1);
        engine.database = DatabaseState.DOWN;
        assertThat(value("acidq.database", "state", "up")).isZero();
        assertThat(value("acidq.database", "state", "down")).isEqualTo(1);

        gauges.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void refusesAnotherEngineOfTheSameName() {
        gauges.start();
        try (AcidqGauges same = new AcidqGauges(new Meters(registry, "main"), engine, PERIOD, () -> nanos);
                AcidqGauges other = new AcidqGauges(new Meters(registry, "reports"), engine, PERIOD, () -> nanos)) {
            assertThatThrownBy(same::start)
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("engine 'main' is registered already");
            other.start();
        }
        assertThat(value("acidq.database", "state", "up")).isEqualTo(1);
        gauges.close();
    }

    @Test
    void registersEachGaugeWithItsTagsAndNoOther() throws InterruptedException {
        gauges.start();
        assertThat(engine.sampled.await(10, TimeUnit.SECONDS)).isTrue();
        gauges.sample();

        for (AcidqMeter meter : AcidqMeter.values()) {
            if (meter.type() == Meter.Type.GAUGE) {
                assertThat(registry.get(meter.meterName()).gauges())
                        .allSatisfy(made -> assertThat(made.getId().getTags())
                                .extracting("key")
                                .containsExactlyInAnyOrderElementsOf(AcidqMetricsTest.tags(meter)));
            }
        }
        assertThat(registry.getMeters())
                .allSatisfy(
                        made -> assertThat(Arrays.stream(AcidqMeter.values()).map(AcidqMeter::meterName))
                                .contains(made.getId().getName()));
        gauges.close();
    }

    private double value(String name, String... tags) {
        var search = registry.get(name).tags(tags);
        return name.equals("acidq.database")
                ? search.gauge().value()
                : search.tags("queue", "orders").gauge().value();
    }
}
