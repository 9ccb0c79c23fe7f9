package io.acidq.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Enqueued.Result;
import io.acidq.Interceptor.Enqueueing;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.Tick;
import io.acidq.admin.RecurringMessages.TickResult;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AcidqMetricsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final MessageId ID = new MessageId("orders", 0, UUID.randomUUID());

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AcidqMetrics metrics = new AcidqMetrics(registry, "main", Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void countsEnqueuedMessagesAfterTheCommit() {
        Enqueueing enqueueing = metrics.enqueueing("orders", List.of(NewMessage.of("one")));

        enqueueing.ended(results(Result.ENQUEUED, Result.SUCCESSOR, Result.DUPLICATE));
        assertThat(counter("acidq.enqueued")).isZero();

        enqueueing.committed();
        assertThat(counter("acidq.enqueued")).isEqualTo(2);
    }

    @Test
    void countsTakenKeysByResult() {
        metrics.enqueueing("orders", List.of()).ended(results(Result.DUPLICATE, Result.DUPLICATE, Result.THROTTLED));
        metrics.enqueueing("orders", List.of()).failed(new KeyTakenException("order-7", ID));
        metrics.enqueueing("orders", List.of()).failed(new IllegalStateException());

        assertThat(counter("acidq.duplicates", "result", "duplicate")).isEqualTo(2);
        assertThat(counter("acidq.duplicates", "result", "throttled")).isEqualTo(1);
        assertThat(counter("acidq.duplicates", "result", "rejected")).isEqualTo(1);
        assertThat(counter("acidq.duplicates", "result", "replaced")).isZero();
    }

    @Test
    void timesRunsByOutcome() {
        metrics.finished(ID, Outcome.done(), Duration.ofMillis(20));
        metrics.finished(ID, Outcome.dead("no"), Duration.ofMillis(30));

        assertThat(registry.get("acidq.handler").tags("outcome", "done").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(registry.get("acidq.handler").tags("outcome", "dead").timer().count())
                .isEqualTo(1);
        assertThat(registry.get("acidq.handler")
                        .tags("outcome", "retry")
                        .timer()
                        .count())
                .isZero();
    }

    @Test
    void timesClaimsAndTheirMessages() {
        metrics.claimed("orders", 7, Duration.ofMillis(3));
        metrics.claimed("orders", 1, Duration.ofMillis(1));

        assertThat(registry.get("acidq.claim").timer().count()).isEqualTo(2);
        assertThat(registry.get("acidq.claim.messages").summary().totalAmount()).isEqualTo(8);
    }

    @Test
    void timesTheLagFromTheDueTimeAndNeverBelowZero() {
        metrics.handling(List.of(due(NOW.minusSeconds(2))));
        metrics.handling(List.of(due(NOW.plusSeconds(60)))); // the database's clock is ahead

        assertThat(registry.get("acidq.lag").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(2);
        assertThat(registry.get("acidq.lag").timer().count()).isEqualTo(2);
    }

    @Test
    void countsTicksByResultAndTimesHowLateTheirMessagesAre() {
        assertThat(counter("acidq.ticks", "result", "skipped")).isZero();
        Tick tick = new Tick("nightly", NOW, 0);

        metrics.ticked(tick, TickResult.ENQUEUED, Duration.ofSeconds(3));
        metrics.ticked(tick, TickResult.TRIGGERED, Duration.ZERO);
        metrics.ticked(tick, TickResult.SKIPPED, Duration.ofDays(1));

        assertThat(counter("acidq.ticks", "result", "enqueued")).isEqualTo(1);
        assertThat(counter("acidq.ticks", "result", "triggered")).isEqualTo(1);
        assertThat(counter("acidq.ticks", "result", "skipped")).isEqualTo(1);
        assertThat(registry.get("acidq.tick.lag").timer().count()).isEqualTo(1);
        assertThat(registry.get("acidq.tick.lag").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void separatesTwoEngines() {
        AcidqMetrics other = new AcidqMetrics(registry, "reports");

        metrics.fenced(ID);
        other.fenced(ID);
        other.fenced(ID);

        assertThat(counter("acidq.fenced", "engine", "main")).isEqualTo(1);
        assertThat(counter("acidq.fenced", "engine", "reports")).isEqualTo(2);
    }

    @Test
    void registersEachMeterExceptTheGaugesWithItsTagsAndNoOther() {
        metrics.finished(ID, Outcome.done(), Duration.ZERO);
        metrics.nodeDeclaredDead(2);
        metrics.rescued(2, 3);
        metrics.publishedUnsubscribed("order.placed");
        metrics.reconciled(1);
        metrics.taskFailed("due-message-mover", new IllegalStateException());

        assertThat(registry.getMeters()).allSatisfy(made -> {
            AcidqMeter meter = of(made.getId().getName());
            assertThat(made.getId().getType()).isEqualTo(meter.type());
            assertThat(made.getId().getDescription()).isEqualTo(meter.description());
            assertThat(made.getId().getTags()).extracting("key").containsExactlyInAnyOrderElementsOf(tags(meter));
        });
        assertThat(registry.getMeters().stream().map(m -> m.getId().getName()).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(AcidqMeter.values())
                        .filter(meter -> meter.type() != Meter.Type.GAUGE)
                        .map(AcidqMeter::meterName)
                        .toList());
    }

    /** A counter that was registered at its first event showed no increase, and no alert was raised. */
    @Test
    void registersRareCountersOfTheEngineAtTheStart() {
        assertThat(counter("acidq.nodes.declared.dead", "node", "this")).isZero();
        assertThat(counter("acidq.nodes.declared.dead", "node", "other")).isZero();
        assertThat(counter("acidq.rescued")).isZero();
        assertThat(counter("acidq.reconciled")).isZero();
        assertThat(counter("acidq.task.failures", "task", "due-message-mover")).isZero();

        metrics.declaredDead(1);
        assertThat(counter("acidq.nodes.declared.dead", "node", "this")).isEqualTo(1);
    }

    private static AcidqMeter of(String name) {
        return Arrays.stream(AcidqMeter.values())
                .filter(meter -> meter.meterName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private static List<Enqueued> results(Result... results) {
        return Arrays.stream(results).map(r -> new Enqueued(ID, r)).toList();
    }

    private static Delivery due(Instant at) {
        return QueueObservationsTest.delivery(Map.of("id", ID, "dueAt", at));
    }

    /** The keys of all tags of a meter. */
    static List<String> tags(AcidqMeter meter) {
        return Stream.concat(meter.tags().stream(), Stream.of("engine")).toList();
    }
}
