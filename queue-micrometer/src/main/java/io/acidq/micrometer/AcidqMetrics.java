package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times what an engine does: see {@link AcidqMeter}. Belongs to one engine, which gets it twice: by {@code EngineBuilder#telemetry} and
 * {@code EngineBuilder#interceptor}. The gauges are made by {@link AcidqGauges}. Thread-safe. What is counted is kept in this process alone, and ends
 * with it.
 */
public final class AcidqMetrics implements Telemetry, Interceptor {

    /** Those that every engine may have; the pollers' names have that of a queue behind them. */
    private static final List<String> TASKS = List.of(
            "heartbeat",
            "node-monitor",
            "due-message-mover",
            "work-finder",
            "rescuer",
            "reconciler",
            "pause-tracker",
            "cleaner",
            "backlog-monitor");

    private final Meters meters;
    private final Clock clock;
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();

    /**
     * Meters of one engine.
     *
     * @param engine the value of the tag {@code engine}, different for each engine of a process
     */
    public AcidqMetrics(MeterRegistry registry, String engine) {
        this(registry, engine, Clock.systemUTC());
    }

    AcidqMetrics(MeterRegistry registry, String engine, Clock clock) {
        this.meters = new Meters(registry, engine);
        this.clock = clock;
        registerAtZero();
    }

    /** What happens seldom and to the whole engine: a counter that is first seen at 1 has not increased for those who ask for its increase. */
    private void registerAtZero() {
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "this");
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "other");
        meters.counter(AcidqMeter.RESCUED);
        meters.counter(AcidqMeter.RECONCILED);
        TASKS.forEach(task -> meters.counter(AcidqMeter.TASK_FAILURES, task));
    }

    private QueueMeters of(String queue) {
        QueueMeters known = queues.get(queue);
        return known != null ? known : queues.computeIfAbsent(queue, q -> new QueueMeters(meters, q));
    }

    private void count(AcidqMeter meter, MessageId id) {
        of(id.queue()).count(meter, 1);
    }

    @Override
    public Enqueueing enqueueing(String queue, List<NewMessage> messages) {
        return new Counting(of(queue));
    }

    @Override
    public @Nullable Handling handling(List<Delivery> deliveries) {
        for (Delivery each : deliveries) {
            of(each.id().queue()).recordLag(Duration.between(each.dueAt(), clock.instant()));
        }
        return null;
    }

    @Override
    public void claimed(String queue, int messages, Duration took) {
        of(queue).recordClaim(messages, took);
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        of(id.queue()).recordRun(outcome, took);
    }

    @Override
    public void requeued(MessageId id, Throwable cause) {
        count(AcidqMeter.REQUEUED, id);
    }

    @Override
    public void batchSplit(String queue, int messages, Throwable cause) {
        of(queue).count(AcidqMeter.BATCH_SPLITS, 1);
    }

    @Override
    public void fenced(MessageId id) {
        count(AcidqMeter.FENCED, id);
    }

    @Override
    public void declaredDead(int node) {
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "this").increment();
    }

    @Override
    public void nodeDeclaredDead(int node) {
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "other").increment();
    }

    @Override
    public void rescued(int node, int messages) {
        meters.counter(AcidqMeter.RESCUED).increment(messages);
    }

    @Override
    public void suspected(MessageId id, int node, int crashes) {
        count(AcidqMeter.SUSPECTED, id);
    }

    @Override
    public void quarantined(MessageId id, String cause) {
        count(AcidqMeter.QUARANTINED, id);
    }

    @Override
    public void reconciled(int messages) {
        meters.counter(AcidqMeter.RECONCILED).increment(messages);
    }

    @Override
    public void replayed(String queue, int letters, String who) {
        of(queue).count(AcidqMeter.REPLAYED, letters);
    }

    @Override
    public void discarded(String queue, int letters, String who) {
        of(queue).count(AcidqMeter.DISCARDED, letters);
    }

    @Override
    public void released(MessageId head, String orderingKey, String who) {
        count(AcidqMeter.RELEASED, head);
    }

    @Override
    public void taskFailed(String task, Throwable cause) {
        meters.counter(AcidqMeter.TASK_FAILURES, task).increment();
    }

    /** Counts what one enqueue adds once it is there for good, and what it does not add at once. */
    private static final class Counting implements Enqueueing {

        private final QueueMeters meters;
        private int added;

        Counting(QueueMeters meters) {
            this.meters = meters;
        }

        @Override
        public void ended(List<Enqueued> results) {
            for (Enqueued each : results) {
                if (each.isAdded()) {
                    added++;
                }
                if (each.result() != Enqueued.Result.ENQUEUED) {
                    meters.duplicate(KeyResult.name(each.result()), 1);
                }
            }
        }

        @Override
        public void failed(Throwable failure) {
            if (failure instanceof KeyTakenException) {
                meters.duplicate(KeyResult.REJECTED, 1);
            }
        }

        @Override
        public void committed() {
            if (added > 0) {
                meters.count(AcidqMeter.ENQUEUED, added);
            }
        }
    }
}
