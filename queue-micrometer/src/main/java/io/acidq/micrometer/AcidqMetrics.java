package io.acidq.micrometer;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.KeyTakenException;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.Tick;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.telemetry.Telemetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters and timers of one engine: see {@link AcidqMeter}. Pass it to the engine twice, to {@code EngineBuilder#telemetry} and to {@code
 * EngineBuilder#interceptor}. {@link AcidqGauges} has the gauges. The values are those of this process. Thread-safe.
 */
public final class AcidqMetrics implements Telemetry, Interceptor {

    /** The tasks of every engine. A poller is not among them: its name ends with that of its queue. */
    private static final List<String> TASKS = List.of(
            "heartbeat",
            "node-monitor",
            "due-message-mover",
            "work-finder",
            "rescuer",
            "reconciler",
            "pause-tracker",
            "cleaner",
            "backlog-monitor",
            "ticker");

    private static final List<AcidqMeter> QUEUE_COUNTERS = List.of(
            AcidqMeter.ENQUEUED,
            AcidqMeter.REQUEUED,
            AcidqMeter.EXPIRED,
            AcidqMeter.FENCED,
            AcidqMeter.BATCH_SPLITS,
            AcidqMeter.SUSPECTED,
            AcidqMeter.QUARANTINED,
            AcidqMeter.RELEASED,
            AcidqMeter.REPLAYED,
            AcidqMeter.DISCARDED);

    /** The value of the tag {@code result} when a taken key failed the enqueue. */
    private static final String REJECTED = "rejected";

    private static final List<String> KEY_RESULTS = Stream.concat(
                    Arrays.stream(Enqueued.Result.values())
                            .filter(result -> result != Enqueued.Result.ENQUEUED)
                            .map(AcidqMetrics::name),
                    Stream.of(REJECTED))
            .toList();

    private final Meters meters;
    private final Clock clock;
    private final Map<String, QueueMeters> queues = new ConcurrentHashMap<>();

    /**
     * Creates the meters of one engine.
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

    /** Registers the rare counters of the whole engine at 0. A monitoring system sees no increase in a counter that first appears at 1. */
    private void registerAtZero() {
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "this");
        meters.counter(AcidqMeter.NODES_DECLARED_DEAD, "other");
        meters.counter(AcidqMeter.RESCUED);
        meters.counter(AcidqMeter.RECONCILED);
        for (TickResult result : TickResult.values()) {
            meters.counter(AcidqMeter.TICKS, name(result));
        }
        meters.timer(AcidqMeter.TICK_LAG);
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
    public Enqueueing enqueueing(String destination, List<NewMessage> messages) {
        return new Counting();
    }

    @Override
    public @Nullable Handling handling(List<Delivery> deliveries) {
        for (Delivery each : deliveries) {
            of(each.id().queue()).recordLag(Duration.between(each.dueAt(), clock.instant()));
        }
        return null;
    }

    @Override
    public void publishedUnsubscribed(String topic) {
        meters.counter(AcidqMeter.PUBLISHED_UNSUBSCRIBED, topic).increment();
    }

    @Override
    public void ticked(Tick tick, TickResult result, Duration late) {
        meters.counter(AcidqMeter.TICKS, name(result)).increment();
        if (result == TickResult.ENQUEUED) {
            meters.timer(AcidqMeter.TICK_LAG).record(late);
        }
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
    public void requeued(MessageId id, Throwable failure) {
        count(AcidqMeter.REQUEUED, id);
    }

    @Override
    public void expired(MessageId id, Outcome outcome) {
        count(AcidqMeter.EXPIRED, id);
    }

    @Override
    public void batchSplit(String queue, int messages, Throwable failure) {
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
    public void quarantined(MessageId id, String error) {
        count(AcidqMeter.QUARANTINED, id);
    }

    @Override
    public void reconciled(int messages) {
        meters.counter(AcidqMeter.RECONCILED).increment(messages);
    }

    @Override
    public void replayed(String queue, int letters, String actor) {
        of(queue).count(AcidqMeter.REPLAYED, letters);
    }

    @Override
    public void discarded(String queue, int letters, String actor) {
        of(queue).count(AcidqMeter.DISCARDED, letters);
    }

    @Override
    public void released(MessageId head, String orderingKey, String actor) {
        count(AcidqMeter.RELEASED, head);
    }

    @Override
    public void taskFailed(String task, Throwable failure) {
        meters.counter(AcidqMeter.TASK_FAILURES, task).increment();
    }

    private static String name(Enum<?> result) {
        return result.name().toLowerCase(Locale.ROOT);
    }

    /** Counts the messages of one enqueue: those added after its commit, those whose key was taken at once. */
    private final class Counting implements Enqueueing {

        private List<Enqueued> added = List.of();

        @Override
        public void ended(List<Enqueued> results) {
            added = results.stream().filter(Enqueued::isAdded).toList();
            for (Enqueued each : results) { // those of a publish are of several queues
                QueueMeters queue = of(each.id().queue());
                if (each.result() != Enqueued.Result.ENQUEUED) {
                    queue.countDuplicate(name(each.result()));
                }
            }
        }

        @Override
        public void failed(Throwable failure) {
            if (failure instanceof KeyTakenException taken) {
                of(taken.holder().queue()).countDuplicate(REJECTED);
            }
        }

        @Override
        public void committed() {
            added.forEach(each -> count(AcidqMeter.ENQUEUED, each.id()));
        }
    }

    /** The meters of one queue. All of them are registered at the first message, so that a rate includes the first event of each kind. */
    private static final class QueueMeters {

        private final Map<AcidqMeter, Counter> counters = new EnumMap<>(AcidqMeter.class);
        private final Map<String, Counter> duplicates = new HashMap<>();
        private final Map<String, Timer> runs = new HashMap<>();
        private final Timer claim;
        private final DistributionSummary claimed;
        private final Timer lag;

        QueueMeters(Meters meters, String queue) {
            QUEUE_COUNTERS.forEach(meter -> counters.put(meter, meters.counter(meter, queue)));
            for (String result : KEY_RESULTS) {
                duplicates.put(result, meters.counter(AcidqMeter.DUPLICATES, queue, result));
            }
            for (String outcome : OutcomeName.ALL) {
                runs.put(outcome, meters.timer(AcidqMeter.HANDLER, queue, outcome));
            }
            claim = meters.timer(AcidqMeter.CLAIM, queue);
            claimed = meters.summary(AcidqMeter.CLAIM_MESSAGES, queue);
            lag = meters.timer(AcidqMeter.LAG, queue);
        }

        void count(AcidqMeter meter, int by) {
            Objects.requireNonNull(counters.get(meter)).increment(by);
        }

        void countDuplicate(String result) {
            Objects.requireNonNull(duplicates.get(result)).increment();
        }

        void recordRun(Outcome outcome, Duration took) {
            Objects.requireNonNull(runs.get(OutcomeName.of(outcome))).record(took);
        }

        void recordClaim(int messages, Duration took) {
            claim.record(took);
            claimed.record(messages);
        }

        void recordLag(Duration lateness) {
            lag.record(lateness.isNegative() ? Duration.ZERO : lateness);
        }
    }
}
